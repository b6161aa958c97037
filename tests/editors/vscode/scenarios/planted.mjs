// Programs with one mistake each (tests/debug/planted): a run with checks underlines its line, and the debugger
// stops there. Clicks and seconds of each are printed (the table in docs/debugger.md);
// more than three clicks are a failure.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../debug/planted');
const MOST_CLICKS = 3;
const programs = Object.fromEntries(fs.readdirSync(FOLDER).filter((name) => name.endsWith('.cuf')).sort()
  .map((name) => [name, fs.readFileSync(path.join(FOLDER, name), 'utf8')]));
// A race has two places; which of them is the later one depends on the order of the threads.
const MARK = /! mistake|! its other place/;
const linesOf = (text) => text.split('\n').flatMap((line, index) => (MARK.test(line) ? [index + 1] : []));

// In the menu beside the triangle of the editor's title. VS Code leaves the menu open behind an editor that was closed, though it does
// what was chosen.
async function chooseInRunMenu(s, title) {
  const entry = s.page.locator('.monaco-menu .action-item', { hasText: title }).first();
  const menu = s.page.locator('.editor-group-container.active .editor-actions .dropdown-action-container .action-label').last();
  for (let attempt = 0; !(await entry.isVisible()); ++attempt) {
    await menu.click();
    await entry.waitFor({ timeout: 5000 }).catch((error) => { if (attempt === 3) throw error; });
  }
  s.clicks += 1; // the menu
  await s.page.waitForTimeout(300); // a menu that has just opened takes the click as its own end
  await s.click(entry);
  await entry.waitFor({ state: 'hidden', timeout: 500 }).catch(() => s.press('Escape'));
}

// Whether a line with the mark is underlined.
function isUnderlined(s) {
  return s.page.waitForFunction((source) => {
    const editor = document.querySelector('.editor-group-container.active .editor-instance');
    const lines = [...editor.querySelectorAll('.view-line')].filter((each) => new RegExp(source).test(each.innerText.replace(/\u00a0/g, ' ')));
    return [...editor.querySelectorAll('.view-overlays > div')].some((each) =>
      lines.some((line) => each.style.top === line.style.top) && each.querySelector('.squiggly-error'));
  }, MARK.source, { timeout: 60_000 });
}

async function found(s, name) {
  const clicks = s.clicks, start = Date.now();
  await chooseInRunMenu(s, 'Run with Checks on the CPU');
  await isUnderlined(s);
  return { clicks: s.clicks - clicks, seconds: (Date.now() - start) / 1000, name };
}

async function stop(s) {
  const toolbar = s.page.locator('.debug-toolbar');
  if (!(await toolbar.isVisible())) return;
  await s.press('Shift+F5');
  await toolbar.waitFor({ state: 'hidden' });
}

// The exception's message names the place. The stop is there too, but for what only shows when all threads of the
// block wait: unset values and barriers.
async function stopped(s, name, lines) {
  const clicks = s.clicks, start = Date.now();
  await chooseInRunMenu(s, 'Debug with Checks on the CPU');
  const widget = s.page.locator('.exception-widget');
  await widget.waitFor({ timeout: 60_000 });
  const seconds = (Date.now() - start) / 1000;
  const frame = s.page.locator('.debug-call-stack .monaco-list-row', { hasText: new RegExp(`\\.cuf:?\\s*(${lines.join('|')})(:\\d+)?\\s*$`) }).first();
  const isThere = await frame.waitFor({ timeout: 4000 }).then(() => true, () => false);
  const message = (await widget.innerText()).replace(/\u00a0/g, ' ');
  const result = { clicks: s.clicks - clicks, seconds, isThere };
  await stop(s);
  assert.ok(isThere || lines.some((line) => message.includes(`${name}:${line}:`)), `${name} stops elsewhere than in line ${lines}: ${message}`);
  return result;
}

export const scenario = {
  name: 'planted',
  settings: { 'debug.toolBarLocation': 'floating', 'debug.internalConsoleOptions': 'neverOpen' },
  files: programs,
  async run(s, ok) {
    assert.ok(Object.keys(programs).length >= 20);
    const failed = [];
    for (const [name, text] of Object.entries(programs)) {
      await s.openFile(name);
      try {
        const run = await found(s, name);
        const debug = await stopped(s, name, linesOf(text));
        const where = debug.isThere ? 'at the line' : 'at the next barrier';
        ok(`${name}: underlined with ${run.clicks} clicks in ${run.seconds.toFixed(1)} s, the debugger stops ${where} with ${debug.clicks} in ${debug.seconds.toFixed(1)} s`);
        assert.ok(run.clicks <= MOST_CLICKS && debug.clicks <= MOST_CLICKS);
      } catch (error) {
        await s.picture(`failed-${name}`);
        failed.push(`${name}: ${error.message.split('\n')[0]}`);
        await stop(s);
      }
      await s.closeAll();
    }
    assert.deepEqual(failed, []);
  },
};
