// The setting cufls.server.path leads nowhere: the user is told which setting, and after it is put right the
// server starts without a reload.
import assert from 'node:assert/strict';

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

    const keywords = ['module', 'subroutine', 'integer', 'implicit', 'global'];
    const before = await Promise.all(keywords.map((word) => s.colourOf(word)));
    await s.setUserSettings({ 'cufls.server.path': process.env.CUFLS });
    await s.openFile('mistake.cuf');
    await s.squiggles().first().waitFor({ state: 'attached' });
    ok('the right path starts the server at once');
    await s.page.waitForTimeout(2000);
    assert.deepEqual(await Promise.all(keywords.map((word) => s.colourOf(word))), before);
    ok('keywords have the colours that they had without the server');

    await s.setUserSettings({ 'cufls.server.path': '/bin/true' });
    await s.page.locator('.notification-toast', { hasText: 'did not start' }).or(
      s.page.locator('.notification-toast', { hasText: 'may not be cufls' })).first().waitFor();
    await s.picture('other_program');
    ok('a program that is not cufls is a message and no endless restart');
  },
};
