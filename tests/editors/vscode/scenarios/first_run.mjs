// From installing the .vsix to the first successful run, on a machine without GPU and with nothing of this
// project installed, counting what a user clicks and types.
import fs from 'node:fs';

export const scenario = {
  name: 'first_run',
  install: false,
  async run(s, ok) {
    const start = Date.now();
    let inputs = 0;
    await s.command('Extensions: Install from VSIX');
    const input = s.page.locator('.quick-input-widget input');
    // The dialog begins with the home folder, when it has read it.
    await s.page.locator('.quick-input-list .monaco-list-row', { hasText: '..' }).first().waitFor();
    const toast = s.page.locator('.notification-toast', { hasText: 'Completed installing' });
    for (let attempt = 0; attempt < 5 && (await input.inputValue()) !== s.extension; ++attempt) {
      await input.fill(s.extension);
      await s.page.waitForTimeout(300);
    }
    // While the dialog reads the folder, Enter is lost.
    for (let attempt = 0; attempt < 6 && (await input.isVisible()); ++attempt) {
      await s.press('Enter');
      await input.waitFor({ state: 'hidden', timeout: 5000 }).catch(() => undefined);
    }
    inputs += 2;
    await toast.waitFor({ timeout: 60_000 });
    ok('installed from the file');
    const file = s.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'main.cuf' });
    await s.click(file, { clickCount: 2 });
    await s.editor.locator('.view-line', { hasText: 'program main' }).waitFor();
    const run = s.page.locator('.editor-actions .action-label.codicon-play').first();
    await run.waitFor();
    // While the extension starts, VS Code makes the title's buttons anew, and a click between is lost.
    await s.until(() => s.click(run), s.page.locator('.terminal-wrapper.active'), 3);
    await s.terminalShows(/sum is\s+3000[\s\S]*PASS/);
    const seconds = (Date.now() - start) / 1000;
    ok(`first run: ${inputs} inputs to install, ${s.clicks} clicks to run, ${seconds.toFixed(1)} s`);
    await s.picture('done');
    fs.writeFileSync(`${process.env.EDITOR_OUTPUT}/first_run.json`, JSON.stringify({ inputs, clicks: s.clicks, seconds }));
  },
};
