// Running again and again: one folder for Run, tests and Debug, findings of a run with checks in the texts, no mark
// of failure at a run that succeeded, and an old gdb that somebody has chosen and that keeps the breakpoints.
import assert from 'node:assert/strict';

const READER = `program reader
  use cudafor
  implicit none
  integer :: number, not_used
  real, device :: d(4)
  character(80) :: given
  open (10, file='data.txt', status='old', action='read')
  read (10, *) number
  d = number
  call get_command_argument(1, given)
  print *, 'read', number, trim(given)
  print *, 'PASS'
end program
`;
const RACE = `module races
  implicit none
contains
  attributes(global) subroutine race(a)
    real :: a(32)
    real, shared :: tile(32)
    integer :: i
    i = threadIdx%x
    tile(i) = i
    a(i) = tile(33 - i)
  end subroutine
end module
program run_races
  use cudafor
  use races
  implicit none
  real, device :: a(32)
  integer :: status
  call race<<<1, 32>>>(a)
  status = cudaDeviceSynchronize()
end program
`;

async function oneFolder(s, ok) {
  await s.openFile('reader.cuf');
  await s.command('CUDA Fortran: Build and Run');
  await s.terminalShows(/read +42 given[\s\S]*PASS/);
  await s.page.waitForTimeout(1500);
  assert.equal(await s.page.locator('.terminal-tabs-entry .codicon-error, .single-terminal-tab .codicon-error, .single-terminal-tab .codicon-warning').count(), 0);
  await s.picture('run');
  ok('Run starts in the folder of the workspace, and a variable that is not used is no mark at it');
  await s.command('Test: Run All Tests');
  await s.page.locator('.monaco-list-row', { hasText: 'reader.cuf' }).locator('.codicon-testing-passed-icon').first().waitFor();
  ok('tests start there too');
}

async function findings(s, ok) {
  await s.closeAll();
  await s.openFile('races.cuf');
  await s.command('CUDA Fortran: Run with Checks on the CPU');
  await s.terminalShows(/races\.cuf:9:\d+: error/);
  const squiggle = s.editor.locator('.cdr.squiggly-error');
  await squiggle.first().waitFor({ state: 'attached' });
  const list = await s.problems();
  assert.ok(list.some((row) => /tile/.test(row) && /cufls run/.test(row)), list.join('\n'));
  await s.picture('findings');
  ok('what a run with checks finds is underlined in the open text');
  await s.focusFirstEditor();
  await s.goTo(9, 5);
  await s.press('End');
  await s.type(' ');
  await squiggle.first().waitFor({ state: 'detached' });
  ok('and goes when the text changes');
  await s.press('Control+z', 'Control+s');
}

async function debugging(s, ok) {
  await s.closeAll();
  await s.openFile('reader.cuf');
  await s.goTo(9, 3);
  await s.press('F9');
  await s.command('CUDA Fortran: Debug');
  await s.page.locator('.notification-toast', { hasText: /needs gdb 14/ }).waitFor();
  await s.terminalShows(/Breakpoint 1, [\s\S]*9\s+d = number/);
  await s.page.locator('.terminal-wrapper.active .xterm').click();
  await s.page.keyboard.type('continue\n');
  await s.terminalShows(/read +42 given/);
  await s.picture('gdb');
  await s.page.keyboard.type('quit\n');
  ok('an old gdb says what is missing, keeps the breakpoint, and runs in the same folder with the same arguments');
}

export const scenario = {
  name: 'again',
  settings: { 'cufls.run.arguments': ['given'] },
  files: { '.vscode/settings.json': JSON.stringify({ 'cufls.debugger.path': 'gdb' }), 'sub/reader.cuf': READER, 'data.txt': '42\n', 'sub/races.cuf': RACE },
  async run(s, ok) {
    for (const part of [oneFolder, findings, debugging]) await part(s, ok);
  },
};
