// A program typed by keys, as fingers do, with the editor's own completion, indentation and brackets: the file is
// what was typed. And what completion offers where snippets would only be in the way. TYPED_PROGRAM=FILE types that
// file, such as tests/bench/typed_program.cuf.
import fs from 'node:fs';
import assert from 'node:assert/strict';

const PROGRAM = process.env.TYPED_PROGRAM ? fs.readFileSync(process.env.TYPED_PROGRAM, 'utf8') : `module kernels
implicit none
contains
attributes(global) subroutine scale(x, factor, n)
integer, value :: n
real, value :: factor
real :: x(n)
integer :: i
i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
if (i <= n) x(i) = factor * x(i)
end subroutine scale
end module kernels

program main
use cudafor
use kernels
implicit none
integer, parameter :: n = 1000
real, device :: x(n)
real :: h(n)
integer :: status
type(dim3) :: grid
x = 1.0
call scale<<<4, 256>>>(x, 2.0, n)
grid = dim3(4, 1, 1)
call scale<<<grid, 256, 0, 0>>>(x, 0.5, n)
status = cudaDeviceSynchronize()
!$cuf kernel do <<<*, *>>>
do status = 1, n
x(status) = 2.0
end do
h = x
if (any(h /= 2.0)) then
error stop 'FAIL'
end if
print *, 'PASS'
end program main
`;
const bare = (text) => text.split('\n').map((line) => line.trim()).join('\n').trimEnd();

export const scenario = {
  name: 'typing',
  files: { 'typed.cuf': '', 'names.cuf': 'program names\n\nend program\n' },
  async run(s, ok) {
    await s.openFile('typed.cuf');
    await s.editor.locator('.view-line').first().click();
    await s.watchSquiggles();
    await s.type(PROGRAM);
    await s.press('Control+s');
    await s.picture('program');
    const text = await s.fileHas('typed.cuf', /end program main/);
    assert.equal(bare(text), bare(PROGRAM));
    if (!process.env.TYPED_PROGRAM) assert.match(text, /\n {8}if \(i <= n\) x\(i\)/);
    ok(`a program of ${PROGRAM.split('\n').length - 1} lines typed by keys is what was typed, and indented`);
    await s.squiggles().first().waitFor({ state: 'detached' });
    const seen = await s.squigglesSeen();
    ok(`and nothing in it is underlined; ${seen.length} lines were while they were typed, for at most ${Math.max(0, ...seen).toFixed(1)} s`);

    const snippets = s.page.locator('.suggest-widget.visible .monaco-list-row .codicon-symbol-snippet');
    for (const begin of ['real, de', 'use cudafor, only: cu', '!$cuf ker']) {
      await s.openFile('names.cuf');
      await s.goTo(2, 1);
      await s.type(begin);
      await s.page.waitForTimeout(1500);
      assert.equal(await snippets.count(), 0, begin);
      await s.press('Escape', 'Escape', 'Control+a');
      await s.page.keyboard.insertText('program names\n\nend program\n');
    }
    ok('no snippets stand in declarations, ONLY lists and directives');
    await s.goTo(2, 1);
    await s.type('cufp');
    await snippets.first().waitFor();
    ok('where a statement begins they are offered');
  },
};
