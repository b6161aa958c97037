// Programs with one mistake each (tests/debug/planted): a run with checks underlines its line, and the debugger
// stops there. Clicks and seconds of each are printed; more than three clicks are a failure.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../debug/planted');
const MOST_CLICKS = 3;
const programs = Object.fromEntries(fs.readdirSync(FOLDER).filter((name) => name.endsWith('.cuf')).sort()
  .map((name) => [name, fs.readFileSync(path.join(FOLDER, name), 'utf8')]));
const lineOf = (text) => text.split('\n').findIndex((line) => line.includes('! mistake')) + 1;

// In the menu beside the triangle of the editor's title.
async function chooseInRunMenu(s, title) {
  const entry = s.page.locator('.monaco-menu .action-item', { hasText: title }).first();
  const menu = s.page.locator('.editor-group-container.active .editor-actions .action-label[aria-label*="Run or Debug"], .editor-group-container.active .editor-actions .dropdown-action-container .action-label').first();
  for (let attempt = 0; !(await entry.isVisible()); ++attempt) {
    await menu.click();
    await entry.waitFor({ timeout: 5000 }).catch((error) => { if (attempt === 3) throw error; });
  }
  s.clicks += 1; // the menu
  await s.click(entry);
  // A menu that has just opened takes the click as its own end.
  if (await entry.isVisible()) await s.page.waitForTimeout(500);
  if (await entry.isVisible()) await s.press('Enter');
}

// Whether the line with the mark is underlined.
function isUnderlined(s) {
  return s.page.waitForFunction(() => {
    const editor = document.querySelector('.editor-group-container.active .editor-instance');
    const line = [...editor.querySelectorAll('.view-line')].find((each) => each.innerText.includes('mistake'));
    return line && [...editor.querySelectorAll('.view-overlays > div')].some((each) =>
      each.style.top === line.style.top && each.querySelector('.squiggly-error'));
  }, undefined, { timeout: 60_000 });
}

async function found(s, name) {
  const clicks = s.clicks, start = Date.now();
  await chooseInRunMenu(s, 'Run with Checks on the CPU');
  await isUnderlined(s);
  return { clicks: s.clicks - clicks, seconds: (Date.now() - start) / 1000, name };
}

// The exception's message names the place. The stop is there too, but for what only shows when all threads of the
// block wait: unset values and barriers.
async function stopped(s, name, line) {
  const clicks = s.clicks, start = Date.now();
  await chooseInRunMenu(s, 'Debug with Checks on the CPU');
  const widget = s.page.locator('.exception-widget');
  await widget.waitFor({ timeout: 60_000 });
  const seconds = (Date.now() - start) / 1000;
  const frame = s.page.locator('.debug-call-stack .monaco-list-row', { hasText: new RegExp(`${line}:\\d|:${line}`) }).first();
  const isThere = await frame.waitFor({ timeout: 4000 }).then(() => true, () => false);
  const message = (await widget.innerText()).replace(/\u00a0/g, ' ');
  const result = { clicks: s.clicks - clicks, seconds, isThere, message };
  await s.press('Shift+F5');
  await s.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  assert.ok(isThere || message.includes(`${name}:${line}:`), `${name} stops elsewhere than in line ${line}: ${message}`);
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
        const debug = await stopped(s, name, lineOf(text));
        const where = debug.isThere ? 'at the line' : 'at the next barrier';
        ok(`${name}: underlined with ${run.clicks} clicks in ${run.seconds.toFixed(1)} s, the debugger stops ${where} with ${debug.clicks} in ${debug.seconds.toFixed(1)} s`);
        assert.ok(run.clicks <= MOST_CLICKS && debug.clicks <= MOST_CLICKS);
      } catch (error) {
        await s.picture(`failed-${name}`);
        failed.push(`${name}: ${error.message.split('\n')[0]}`);
        await s.press('Escape', 'Shift+F5');
      }
      await s.closeAll();
    }
    assert.deepEqual(failed, []);
  },
};
