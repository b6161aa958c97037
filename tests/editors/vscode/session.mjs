// One VS Code for a scenario: code-server with a fresh profile on a free port, a page in Chromium that shows it,
// and the actions of a user that scenarios share. Everything that was started is ended by close().
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.resolve(here, '../../../vscode-extension/package.json'));
const { chromium } = require('playwright-core');

const CODE_SERVER = path.join(process.env.EDITOR_TOOLS, 'code-server/node_modules/.bin/code-server');
const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'];
const SETTINGS = {
  'workbench.startupEditor': 'none', 'files.autoSave': 'off', 'telemetry.telemetryLevel': 'off', 'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false, 'update.mode': 'none', 'workbench.enableExperiments': false,
  'chat.commandCenter.enabled': false, 'workbench.tips.enabled': false, 'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'editor.minimap.enabled': false, 'editor.accessibilitySupport': 'off', 'editor.stickyScroll.enabled': false,
  'terminal.integrated.gpuAcceleration': 'off', 'git.enabled': false, 'editor.hover.delay': 100, 'workbench.colorTheme': 'Default Dark Modern',
};

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// Installed once by the command line; each scenario gets links to the files, for which both are on one disk.
let installedIn;
function installed(extension) {
  if (!installedIn) {
    installedIn = fs.mkdtempSync(path.join(os.tmpdir(), 'cufls-installed-'));
    process.on('exit', () => fs.rmSync(installedIn, { recursive: true, force: true }));
    execFileSync(CODE_SERVER, ['--extensions-dir', path.join(installedIn, 'extensions'), '--user-data-dir', path.join(installedIn, 'data'),
      '--install-extension', extension], { stdio: 'ignore' });
  }
  return path.join(installedIn, 'extensions');
}

export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: CHROMIUM_ARGUMENTS });
}

export class Session {
  constructor(browser, scenario, extension) {
    Object.assign(this, { browser, scenario, extension, pictures: path.join(process.env.EDITOR_OUTPUT, 'pictures') });
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cufls-vscode-'));
    this.workspace = path.join(this.folder, 'project');
    this.clicks = 0;
  }

  async open() {
    this.prepare();
    const port = await freePort();
    const trust = this.scenario.untrusted ? [] : ['--disable-workspace-trust'];
    const log = fs.openSync(path.join(process.env.EDITOR_OUTPUT, `${this.scenario.name}.log`), 'w');
    const environment = { ...process.env, XDG_CONFIG_HOME: path.join(this.folder, 'config'), XDG_CACHE_HOME: path.join(this.folder, 'cache') };
    this.server = spawn(CODE_SERVER, ['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry',
      '--disable-update-check', '--disable-getting-started-override', ...trust, ...this.places(), this.workspace],
      { detached: true, stdio: ['ignore', log, log], env: environment });
    await this.answering(port);
    this.context = await this.browser.newContext({ viewport: { width: 1360, height: 850 }, ...this.scenario.browser });
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(90_000);
    await this.page.goto(`http://127.0.0.1:${port}/?folder=${this.workspace}`, { timeout: 180_000, waitUntil: 'domcontentloaded' });
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 180_000 });
  }

  places() {
    return ['--user-data-dir', path.join(this.folder, 'data'), '--extensions-dir', path.join(this.folder, 'extensions')];
  }

  prepare() {
    fs.mkdirSync(path.join(this.folder, 'data/User'), { recursive: true });
    fs.mkdirSync(this.pictures, { recursive: true });
    fs.cpSync(path.join(here, 'workspace'), this.workspace, { recursive: true });
    for (const [name, text] of Object.entries(this.scenario.files ?? {})) {
      fs.mkdirSync(path.dirname(path.join(this.workspace, name)), { recursive: true });
      fs.writeFileSync(path.join(this.workspace, name), text);
    }
    const settings = { ...SETTINGS, ...this.scenario.settings };
    fs.writeFileSync(path.join(this.folder, 'data/User/settings.json'), JSON.stringify(settings, null, 2));
    if (this.scenario.install !== false) execFileSync('cp', ['-al', installed(this.extension), path.join(this.folder, 'extensions')]);
    for (const other of this.scenario.otherExtensions ?? []) this.addExtension(other);
  }

  // One that is made up of a package.json, with files beside it.
  addExtension({ manifest, files }) {
    const root = path.join(this.folder, 'extensions'), list = path.join(root, 'extensions.json');
    const id = `${manifest.publisher}.${manifest.name}`, relative = `${id}-${manifest.version}`;
    for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
      fs.mkdirSync(path.dirname(path.join(root, relative, name)), { recursive: true });
      fs.writeFileSync(path.join(root, relative, name), text);
    }
    const known = JSON.parse(fs.readFileSync(list, 'utf8'));
    const location = { $mid: 1, path: path.join(root, relative), scheme: 'file' };
    fs.rmSync(list); // a link to the one that scenarios share
    fs.writeFileSync(list, JSON.stringify([...known, { identifier: { id }, version: manifest.version, location, relativeLocation: relative }]));
  }

  async answering(port) {
    for (let attempt = 0; attempt < 1200; ++attempt) {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
      await wait(100);
    }
    throw new Error('code-server does not answer');
  }

  async close() {
    await this.context?.close().catch(() => undefined);
    this.kill();
    await wait(200);
    if (process.env.KEEP) return console.log(this.folder);
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 30 }); // processes of extensions end later
  }

  kill() {
    try {
      process.kill(-this.server.pid);
    } catch { /* it has ended, or never started */ }
  }

  async picture(name, options = {}) {
    await this.page.screenshot({ path: path.join(this.pictures, `${this.scenario.name}-${name}.png`), ...options });
  }

  // ------------------------------------------------------------------ what users do

  get editor() {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  async click(locator, options) {
    this.clicks += 1;
    await locator.click(options);
  }

  // By coordinates, for what lies under an invisible layer of VS Code.
  async clickAt(locator) {
    const box = await locator.boundingBox();
    await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }

  // Does something until what shall come of it is visible: keys are lost while VS Code starts or is busy.
  async until(action, locator, tries = 12) {
    for (let attempt = 1; ; ++attempt) {
      await action();
      try {
        return await locator.waitFor({ timeout: 5000 });
      } catch (error) {
        if (attempt === tries) throw error;
        await this.press('Escape');
      }
    }
  }

  async openFile(name) {
    const input = this.page.locator('.quick-input-widget input');
    await this.until(() => this.press('Control+p'), input);
    await input.fill(name);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await this.page.locator('.editor-group-container.active .tab.active', { hasText: name }).waitFor();
    await this.editor.locator('.view-line').first().waitFor();
  }

  async command(title) {
    const input = this.page.locator('.quick-input-widget input');
    await this.until(() => this.press('F1'), input);
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
    // Commands come while the window starts, and the list does not notice.
    for (let attempt = 0; attempt < 20 && !(await row.isVisible()); ++attempt) {
      await input.fill('>');
      await input.fill(`>${title}`);
      await row.waitFor({ timeout: 1000 }).catch(() => undefined);
    }
    await row.click();
  }

  // As fingers do: key by key, while the editor completes, indents and closes brackets.
  async type(text, delay = 60) {
    for (const line of text.split(/(\n)/)) {
      if (line === '\n') await this.press('Enter');
      else await this.page.keyboard.type(line, { delay });
      if (line === '\n') await wait(delay);
    }
  }

  // Lines with an error from now on, and for how long each has it.
  async watchSquiggles() {
    await this.page.evaluate(() => {
      const lines = new Map(), every = 100;
      window.squigglesSeen = lines;
      setInterval(() => {
        for (const line of document.querySelectorAll('.editor-instance .view-overlays > div'))
          if (line.querySelector('.squiggly-error')) lines.set(line.style.top, (lines.get(line.style.top) ?? 0) + every / 1000);
      }, every);
    });
  }

  squigglesSeen() {
    return this.page.evaluate(() => [...window.squigglesSeen.values()]);
  }

  // In the editor of the settings, as a user who knows what to write; until the file has it.
  async setUserSettings(more) {
    const file = path.join(this.folder, 'data/User/settings.json');
    const text = JSON.stringify({ ...SETTINGS, ...this.scenario.settings, ...more });
    await this.command('Preferences: Open User Settings (JSON)');
    await this.page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();
    for (let attempt = 0; attempt < 10 && fs.readFileSync(file, 'utf8') !== text; ++attempt) {
      await this.editor.locator('.view-line').first().click();
      await this.press('Control+a', 'Delete');
      await this.page.keyboard.insertText(text);
      await this.press('Control+s');
      await wait(1000);
    }
  }

  // The language that the status bar names.
  async languageIs(pattern) {
    await this.shows('#status\\.editor\\.mode', pattern);
  }

  // The colour of a word in the visible text of the first editor that has it.
  async colourOf(word) {
    return this.page.evaluate((wanted) => {
      for (const span of document.querySelectorAll('.editor-instance .view-line > span > span'))
        if (span.textContent.replace(/\u00a0/g, ' ').trim().split(/[^\w<>]+/).includes(wanted)) return getComputedStyle(span).color;
      return undefined;
    }, word);
  }

  // What the panel of problems lists.
  async problems() {
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    if (!(await rows.first().isVisible())) await this.until(() => this.press('Control+Shift+m'), this.page.locator('.markers-panel'));
    await wait(1500);
    return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  }

  // After a panel beside it had the focus.
  async focusFirstEditor() {
    await this.press('Control+1');
    await this.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  }

  async closeAll() {
    await this.press('Control+k', 'Control+w');
    await this.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
  }

  async goTo(line, column) {
    await this.press('Control+g');
    await this.page.locator('.quick-input-widget input').fill(`:${line}:${column}`);
    await this.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  // The place of a word in the visible text of the editor, for the mouse: overlays defeat locator.hover().
  async mouseTo(word, nth = 0) {
    const box = await this.page.evaluate(([text, index]) => {
      let seen = 0;
      for (const line of document.querySelectorAll('.editor-instance .view-line')) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.data.indexOf(text);
          if (at < 0 || seen++ < index) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + text.length);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x, y, width, height };
        }
      }
      return null;
    }, [word, nth]);
    if (!box) throw new Error(`${word} is not in the visible text`);
    await this.page.mouse.move(box.x + 2, box.y + box.height / 2);
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    return box;
  }

  // Moves to a word and waits for a hover that says what is expected.
  async hover(word, expected) {
    for (let attempt = 1; ; ++attempt) {
      await this.mouseTo(word);
      try {
        return await this.shows('.monaco-hover:not(.hidden) .monaco-hover-content', expected, 5000);
      } catch (error) {
        if (attempt === 8) throw error;
        await this.leaveHover();
      }
    }
  }

  async leaveHover() {
    await this.page.mouse.move(700, 840, { steps: 3 });
    await this.page.waitForFunction(() => !document.querySelector('.monaco-hover:not(.hidden) .monaco-hover-content')?.checkVisibility());
  }

  async notifications() {
    return (await this.page.locator('.notification-toast').allInnerTexts()).join('; ');
  }

  squiggles() {
    return this.editor.locator('.cdr.squiggly-error');
  }

  text() {
    return this.editor.locator('.view-lines').innerText().then((text) => text.replace(/\u00a0/g, ' '));
  }

  async terminalShows(pattern, timeout = 60_000) {
    return this.shows('.terminal-wrapper.active .xterm-rows', pattern, timeout);
  }

  // Moves the mouse to what the terminal shows, where links are underlined.
  async mouseOnTerminal(pattern) {
    const box = await this.page.evaluate((source) => {
      for (const row of document.querySelectorAll('.terminal-wrapper.active .xterm-rows > div'))
        if (new RegExp(source).test(row.innerText)) {
          const { x, y, height } = row.getBoundingClientRect();
          return { x, y, height };
        }
      return null;
    }, pattern.source);
    if (!box) throw new Error(`${pattern} is not in the terminal`);
    await this.page.mouse.move(box.x + 20, box.y + box.height / 2);
    await this.page.mouse.move(box.x + 40, box.y + box.height / 2, { steps: 4 });
    await this.page.locator('.xterm-cursor-pointer, .xterm-rows span[style*="underline"]').first().waitFor({ state: 'attached' });
  }

  // Waits until the text of an element matches, and gives that text.
  async shows(selector, pattern, timeout = 60_000) {
    const read = () => this.page.evaluate((given) =>
      [...document.querySelectorAll(given)].map((each) => each.innerText).join('\n').replace(/\u00a0/g, ' '), selector);
    for (const end = Date.now() + timeout; ; await wait(100)) {
      const text = await read();
      if (pattern.test(text)) return text;
      if (Date.now() > end) throw new Error(`${pattern} is not in ${selector}: ${text.slice(-1500)}`);
    }
  }

  // On the disk, since saving takes a moment.
  async fileHas(name, pattern, timeout = 10_000) {
    for (const end = Date.now() + timeout; ; await wait(100)) {
      const text = fs.readFileSync(path.join(this.workspace, name), 'utf8');
      if (pattern.test(text)) return text;
      if (Date.now() > end) throw new Error(`${pattern} is not in ${name}`);
    }
  }
}
