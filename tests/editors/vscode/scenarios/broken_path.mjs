// The setting cufls.server.path leads nowhere: the user is told which setting, and after it is put right the
// server starts without a reload.
import fs from 'node:fs';
import path from 'node:path';

// In the editor of the settings, as a user who knows what to write; until the file has it.
async function setPath(s, program) {
  const file = path.join(s.folder, 'data/User/settings.json');
  const text = JSON.stringify({ ...s.scenario.settings, 'workbench.startupEditor': 'none', 'cufls.server.path': program });
  await s.command('Preferences: Open User Settings (JSON)');
  await s.page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();
  for (let attempt = 0; attempt < 10 && fs.readFileSync(file, 'utf8') !== text; ++attempt) {
    await s.editor.locator('.view-line').first().click();
    await s.press('Control+a', 'Delete');
    await s.page.keyboard.insertText(text);
    await s.press('Control+s');
    await s.page.waitForTimeout(1000);
  }
}

export const scenario = {
  name: 'broken_path',
  settings: { 'cufls.server.path': '/nonexistent/cufls' },
  async run(s, ok) {
    await s.openFile('mistake.cuf');
    const toast = s.page.locator('.notification-toast', { hasText: '/nonexistent/cufls does not exist' });
    await toast.first().waitFor();
    await s.shows('.statusbar-item', /CUDA Fortran: CPU/);
    await s.picture('message');
    ok('a path that does not exist is named in a message');

    await setPath(s, process.env.CUFLS);
    await s.openFile('mistake.cuf');
    await s.squiggles().first().waitFor({ state: 'attached' });
    ok('the right path starts the server at once');

    await setPath(s, '/bin/true');
    await s.page.locator('.notification-toast', { hasText: 'did not start' }).or(
      s.page.locator('.notification-toast', { hasText: 'may not be cufls' })).first().waitFor();
    await s.picture('other_program');
    ok('a program that is not cufls is a message and no endless restart');
  },
};
