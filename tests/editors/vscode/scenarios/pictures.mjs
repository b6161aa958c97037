// The pictures of the README and of docs/editors.md, in a small window so that they can be read where they are shown. Only with
// PICTURES=1, which puts them into docs/pictures.
export const scenario = {
  name: 'pictures',
  browser: { viewport: { width: 1080, height: 620 } },
  async run(s, ok) {
    // Things that fade in are complete, and the window's state line is at rest.
    const taken = async (name) => {
      await s.page.locator('.statusbar-item', { hasText: 'Indexing' }).first().waitFor({ state: 'hidden' });
      await s.page.waitForTimeout(1000);
      await s.picture(name);
      ok(name);
    };
    await s.openFile('mistake.cuf');
    await s.squiggles().first().waitFor({ state: 'attached' });
    await s.press('Control+b');
    await s.goTo(10, 18);
    const fix = s.page.locator('.action-widget .monaco-list-row', { hasText: 'values' }).first();
    await s.until(() => s.press('Control+.'), fix);
    await taken('fix');
    await s.press('Escape');

    await s.closeAll();
    await s.openFile('routines.cuf');
    await s.hover('cudaEventElapsedTime', /cudaEventElapsedTime\([\s\S]*Module cudafor/);
    await taken('hover');
    await s.leaveHover();

    await s.closeAll();
    await s.openFile('main.cuf');
    const lens = s.editor.locator('.codelens-decoration a', { hasText: /^Run$/ });
    await lens.waitFor();
    await s.clickAt(lens);
    await s.terminalShows(/PASS[\s\S]*kernels::scale +1/);
    await s.page.locator('.terminal-tab .codicon-check, .single-terminal-tab .codicon-check').first().waitFor().catch(() => undefined);
    await taken('run');

    await s.press('Control+j');
    await s.closeAll();
    await s.openFile('kernels.cuf');
    await s.goTo(11, 9);
    await s.command('CUDA Fortran: Show PTX');
    await s.shows('.editor-instance', /\.entry[\s\S]*\/\/ 11:/);
    await s.page.mouse.move(300, 500);
    await taken('ptx');

    await s.closeAll();
    await s.openFile('kernels.cuf');
    await s.goTo(11, 9);
    await s.command('CUDA Fortran: Show Occupancy');
    await s.page.frameLocator('iframe.webview').frameLocator('iframe').locator('svg path.curve').nth(2).waitFor();
    await s.page.mouse.move(300, 500);
    await taken('occupancy');
  },
};
