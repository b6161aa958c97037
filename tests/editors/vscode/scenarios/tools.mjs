// The first steps, the check of the installation, machine code without the CUDA Toolkit, and gdb in a
// terminal.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

async function walkthrough(s, ok) {
  await s.command('CUDA Fortran: First Steps');
  const page = s.page.locator('.gettingStartedContainer');
  await page.locator('h2', { hasText: 'CUDA Fortran: first steps' }).or(page.locator('.category-title', { hasText: 'CUDA Fortran: first steps' })).first().waitFor();
  await page.locator('.getting-started-step').nth(4).waitFor({ state: 'attached' });
  await s.picture('walkthrough');
  await page.locator('.getting-started-step .monaco-button', { hasText: 'New example' }).first().click();
  await s.page.locator('.tab.active', { hasText: 'vector_add.cuf' }).waitFor();
  assert.ok(fs.existsSync(path.join(s.workspace, 'vector_add.cuf')));
  ok('the walkthrough shows five steps and opens its example');
}

async function doctor(s, ok) {
  await s.command('CUDA Fortran: Check the Installation');
  await s.terminalShows(/Programs can be built/);
  await s.picture('doctor');
  ok('the check of the installation says that programs can be built');
}

async function machineCode(s, ok) {
  await s.closeAll();
  await s.openFile('kernels.cuf');
  await s.command('CUDA Fortran: Show Machine Code');
  const text = await s.shows('.editor-instance', /nvdisasm of the CUDA Toolkit was not found|\bEXIT\b/);
  await s.picture('sass');
  ok(/EXIT/.test(text) ? 'the machine code is shown beside the source' : 'without the CUDA Toolkit the view of machine code says what is missing');
}

async function checked(s, ok) {
  await s.closeAll();
  await s.openFile('main.cuf');
  await s.command('CUDA Fortran: Run with Checks on the CPU');
  await s.terminalShows(/--check[\s\S]*sum is\s+3000[\s\S]*PASS/);
  await s.picture('checked');
  ok('a run with checks builds them in and passes');
}

async function debugInTerminal(s, ok) {
  await s.closeAll();
  await s.openFile('main.cuf');
  await s.command('CUDA Fortran: Debug');
  await s.terminalShows(/\(gdb\)\s*$/);
  await s.page.locator('.terminal-wrapper.active .xterm').click();
  await s.page.keyboard.type('break kernels.cuf:11\nrun\n');
  await s.terminalShows(/Breakpoint 1, .*scale[\s\S]*11\s+if \(i <= n\)/);
  await s.picture('gdb');
  await s.page.keyboard.type('kill\nquit\n');
  ok('an old gdb that was chosen runs in a terminal and stops in a kernel on the CPU');
}

export const scenario = {
  name: 'tools',
  files: { '.vscode/settings.json': JSON.stringify({ 'cufls.debugger.path': 'gdb' }) },
  async run(s, ok) {
    for (const part of [walkthrough, doctor, machineCode, checked, debugInTerminal]) await part(s, ok);
  },
};
