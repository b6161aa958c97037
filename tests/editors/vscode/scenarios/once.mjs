// Each diagnostic stands once, also while one types, and none is left of files that cufls.json excludes. The code of
// a diagnostic leads to its page as it is read.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const BROKEN = 'subroutine aside(a)\n  implicit none\n  real :: a\n  a = nothing\nend subroutine\n';

export const scenario = {
  name: 'once',
  files: { 'old/aside.cuf': BROKEN },
  async run(s, ok) {
    await s.openFile('mistake.cuf');
    await s.squiggles().first().waitFor({ state: 'attached' });
    // Until it is so, and still a moment later.
    const stand = async (text, times) => {
      const count = async () => (await s.problems()).filter((row) => row.includes(text)).length;
      for (let attempt = 0; attempt < 20 && (await count()) !== times; ++attempt) await s.page.waitForTimeout(500);
      await s.page.waitForTimeout(2000);
      assert.equal(await count(), times, `${text}:\n${(await s.problems()).join('\n')}`);
    };
    await stand("'value'", 1);
    await stand("'nothing'", 1);
    await s.picture('problems');
    ok('a mistake in an open file and one in a closed file stand once each');

    await s.focusFirstEditor();
    await s.goTo(10, 5);
    await s.type('i = nowhere\n');
    await stand("'nowhere'", 1);
    await stand("'value'", 1);
    await s.focusFirstEditor();
    await s.press('Control+s');
    ok('and after typing, too');

    await s.openFile('aside.cuf');
    await s.squiggles().first().waitFor({ state: 'attached' });
    await stand("'nothing'", 1);
    await s.focusFirstEditor();
    await s.closeAll();
    await stand("'nothing'", 1);
    ok('opening and closing a file changes nothing');

    fs.writeFileSync(path.join(s.workspace, 'cufls.json'), '{"targets": {"app": {"sources": ["*.cuf"]}}}\n');
    await stand("'nothing'", 0);
    ok('files that cufls.json leaves out have no diagnostics any more');

    await s.openFile('mistake.cuf');
    await s.goTo(11, 18);
    await s.until(() => s.press('Control+k', 'Control+i'), s.page.locator('.monaco-hover a', { hasText: /^CUF\d+$/ }).first());
    await s.page.locator('.monaco-hover a', { hasText: /^CUF\d+$/ }).first().click();
    await s.page.frameLocator('iframe.webview').frameLocator('iframe').locator('h1', { hasText: /^CUF\d+/ }).waitFor();
    await s.picture('page');
    ok('the code of a diagnostic opens its page');
  },
};
