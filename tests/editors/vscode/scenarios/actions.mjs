// A session of work in a trusted folder: mistakes, hover, completion, renaming, code lenses, tasks, PTX, tests.
import assert from 'node:assert/strict';

async function mistakes(s, ok) {
  await s.openFile('mistake.cuf');
  await s.squiggles().first().waitFor({ state: 'attached' });
  await s.picture('squiggle');
  ok('a mistake is underlined');
  await s.goTo(10, 18);
  const fix = s.page.locator('.action-widget .monaco-list-row', { hasText: 'values' }).first();
  await s.until(() => s.press('Control+.'), fix);
  await s.picture('fixes');
  await s.clickAt(fix);
  await s.squiggles().first().waitFor({ state: 'detached' });
  assert.match(await s.text(), /if \(i <= n\) values\(i\) = 1/);
  ok('its fix is applied, and the line under it goes');
  await s.press('Control+z', 'Control+s');
  await s.squiggles().first().waitFor({ state: 'attached' });
}

async function explanation(s, ok) {
  await s.closeAll();
  await s.openFile('mistake.cuf');
  await s.squiggles().first().waitFor({ state: 'attached' });
  await s.goTo(10, 18);
  const outer = s.page.frameLocator('iframe.webview').frameLocator('iframe');
  // The extension may hear of the cursor's place after the command, and then asks for a code.
  await s.until(() => s.command('CUDA Fortran: Explain the Diagnostic'), outer.locator('h1', { hasText: /^CUF\d+/ }));
  await s.picture('explanation');
  ok('the diagnostic is explained beside it');
}

async function hovers(s, ok) {
  await s.closeAll();
  await s.openFile('routines.cuf');
  for (const name of ['cudaGetDeviceCount', 'cudaEventCreate', 'cudaEventElapsedTime', 'cudaDeviceSynchronize', 'cudaMemset']) {
    await s.hover(name, new RegExp(`${name}\\([\\s\\S]*Module cudafor`));
    if (name === 'cudaEventElapsedTime') await s.picture('hover');
    await s.leaveHover();
  }
  ok('hover tells of five routines of cudafor');
}

async function completion(s, ok) {
  await s.openFile('kernels.cuf');
  await s.goTo(11, 40);
  await s.press('End', 'Enter');
  await s.page.keyboard.type('call syncth', { delay: 30 }); // 33 keys a second
  const row = s.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'syncthreads' }).first();
  await row.waitFor();
  await s.picture('completion');
  await row.click();
  assert.match(await s.text(), /call syncthreads/);
  ok('completion offers procedures of device code');
  await s.command('File: Revert File');
  await s.editor.locator('.view-line', { hasText: 'syncthreads' }).waitFor({ state: 'detached' });
}

async function renaming(s, ok) {
  await s.openFile('main.cuf');
  await s.goTo(12, 9);
  await s.press('F2');
  const input = s.page.locator('.rename-box input');
  await input.waitFor();
  await input.fill('multiply');
  await s.picture('rename');
  await s.press('Enter');
  await s.editor.locator('.view-line', { hasText: 'call multiply<<<' }).waitFor();
  await s.command('File: Save All Files').catch(() => s.command('File: Save All'));
  await s.fileHas('main.cuf', /call multiply<<</);
  await s.fileHas('kernels.cuf', /subroutine multiply\(a, factor, n\)/);
  ok('renaming a kernel changes two files');
}

async function running(s, ok) {
  await s.openFile('main.cuf');
  const lens = s.editor.locator('.codelens-decoration a', { hasText: /^Run$/ });
  await lens.waitFor();
  await lens.click();
  await s.terminalShows(/sum is\s+3000[\s\S]*PASS/);
  await s.terminalShows(/CPU/);
  await s.picture('run');
  ok('a click on Run builds two files and runs the program in a terminal, which names the CPU');

  await s.openFile('mistake.cuf');
  await s.squiggles().first().waitFor({ state: 'attached' });
  await s.command('CUDA Fortran: Build the Project');
  await s.terminalShows(/mistake\.cuf:10:\d+: error:/);
  await s.mouseOnTerminal(/mistake\.cuf:10:\d+/);
  await s.picture('build_errors');
  ok('errors of a build are links in the terminal');
}

async function deviceCode(s, ok) {
  await s.closeAll();
  await s.openFile('kernels.cuf');
  await s.command('CUDA Fortran: Show PTX');
  await s.shows('.editor-instance', /\.entry/);
  await s.picture('ptx');
  ok('the PTX is shown beside the source');
}

async function tests(s, ok) {
  await s.closeAll();
  await s.command('Test: Run All Tests');
  const row = s.page.locator('.monaco-list-row', { hasText: 'main.cuf' });
  await row.locator('.codicon-testing-passed-icon').first().waitFor();
  await s.picture('tests');
  ok('the test explorer ran the program that prints PASS');
}

export const scenario = {
  name: 'actions',
  async run(s, ok) {
    for (const part of [mistakes, hovers, completion, renaming, running, deviceCode, tests, explanation]) await part(s, ok);
  },
};
