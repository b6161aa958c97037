// Debugging in VS Code's own view: a kernel on the CPU, threads that wait, steps over a barrier, a race that
// stops the program.
import assert from 'node:assert/strict';

const BLOCKS = `module kernels
  implicit none
contains
  attributes(global) subroutine meet(x)
    real :: x(16)
    real, shared :: tile(16)
    integer :: i, mine
    i = threadIdx%x
    mine = 100 * i
    tile(i) = mine
    call syncthreads()
    mine = tile(17 - i)
    x(i) = mine
  end subroutine meet
end module kernels
program main
  use cudafor
  use kernels
  implicit none
  real, device :: x(16)
  real :: h(16)
  x = 0
  call meet<<<1, 16>>>(x)
  h = x
  print *, 'h is', h(1)
end program main
`;
const RACE = BLOCKS.replace('    call syncthreads()\n', '');

const view = (s) => s.page.frameLocator('iframe.webview').frameLocator('iframe');
const variable = (s, text) => s.page.locator('.debug-variables .monaco-list-row, [aria-label*="Variables Section"] .monaco-list-row', { hasText: text });
const stopped = (s, line) => s.page.locator('.debug-call-stack .monaco-list-row', { hasText: new RegExp(`${line}:1|:${line}`) }).first();

async function atLine(s, line) {
  await s.page.locator('.debug-top-stack-frame-column, .debug-top-stack-frame-line, .debug-focused-stack-frame-line').first().waitFor();
  await stopped(s, line).waitFor();
}

async function kernel(s, ok) {
  await s.openFile('blocks.cuf');
  await s.goTo(12, 3);
  await s.press('F9');
  await s.command('CUDA Fortran: Debug');
  await atLine(s, 12);
  await variable(s, /mine.*100/).first().waitFor();
  ok('Debug stops in a kernel and shows its variables');
  await view(s).locator('button.cell').nth(15).waitFor();
  assert.equal(await view(s).locator('button.cell').count(), 16);
  await s.picture('threads');
  await view(s).locator('button.cell').nth(6).click();
  await variable(s, /mine.*700/).first().waitFor();
  await atLine(s, 11);
  ok('a click on a thread that waits shows its line and its variables');
  await s.command('Remove All Breakpoints');
  await s.press('F10');
  await atLine(s, 12);
  await variable(s, /mine.*700/).first().waitFor();
  await s.press('F10');
  await variable(s, /mine.*1000/).first().waitFor();
  ok('and steps are those of that thread, over the barrier');
  await s.press('Shift+F5');
  await s.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
}

async function race(s, ok) {
  await s.closeAll();
  await s.openFile('race.cuf');
  await s.command('Debug: Select and Start Debugging');
  await s.page.locator('.quick-input-list .monaco-list-row', { hasText: 'with checks' }).first().click();
  await s.page.locator('.exception-widget', { hasText: /without a barrier between/ }).waitFor();
  await s.picture('race');
  ok('a race stops the program where it happens, with its message');
  await s.press('Shift+F5');
  await s.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
}

export const scenario = {
  name: 'debugger',
  settings: { 'debug.toolBarLocation': 'floating', 'debug.internalConsoleOptions': 'neverOpen' },
  files: {
    'blocks.cuf': BLOCKS, 'race.cuf': RACE,
    '.vscode/launch.json': JSON.stringify({ version: '0.2.0', configurations: [
      { type: 'cufls', request: 'launch', name: 'with checks', program: '${file}', device: 'host', check: true }] }),
  },
  async run(s, ok) {
    for (const part of [kernel, race]) await part(s, ok);
  },
};
