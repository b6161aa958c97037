// A project of .f90, .F90 and .f files, without another extension for Fortran: colours, server, and the button that
// runs. Files that use CUDA become CUDA Fortran, also while it is typed.
import assert from 'node:assert/strict';

const CONSTANTS = `module sizes
  implicit none
  integer, parameter :: many = 100
end module sizes
`;
const MISTAKE = `subroutine wrong(a)
  use sizes
  implicit none
  real :: a(many)
  a = b
end subroutine wrong
`;
// Nothing of CUDA but a declaration.
const DEVICE = `program app
  use sizes
  implicit none
  real, device :: x(many)
  real :: h(many)
  x = 2.0
  h = x
  if (any(h /= 2.0)) error stop 'FAIL'
  print *, 'PASS'
end program app
`;
const FIXED = `      program fixed
      implicit none
      real, managed :: a(10)
      integer i
c$cuf kernel do <<<*, *>>>
      do i = 1, 10
        a(i) = 1.0
      end do
      print *, 'PASS'
      end
`;
const PORTED = `subroutine ported(a, n)
  implicit none
  integer :: n
  real :: a(n)
  a = 1.0

end subroutine ported
`;

export const scenario = {
  name: 'fortran_files',
  files: { 'sizes.f90': CONSTANTS, 'wrong.f90': MISTAKE, 'app.F90': DEVICE, 'fixed.f': FIXED, 'ported.f90': PORTED },
  async run(s, ok) {
    await s.openFile('wrong.f90');
    await s.languageIs(/^Fortran$/);
    await s.squiggles().first().waitFor({ state: 'attached' });
    const colours = new Set([await s.colourOf('subroutine'), await s.colourOf('real'), await s.colourOf('many')]);
    assert.ok(colours.size >= 2 && !colours.has(undefined), [...colours].join());
    await s.picture('plain');
    ok('a .f90 file without CUDA has colours, and its mistake is underlined');

    await s.openFile('app.F90');
    await s.languageIs(/^CUDA Fortran$/);
    await s.click(s.page.locator('.editor-actions .action-label.codicon-play').first());
    await s.terminalShows(/PASS/);
    await s.picture('run');
    ok('a .F90 file whose only CUDA is "real, device ::" is CUDA Fortran and runs by the button');

    await s.openFile('fixed.f');
    await s.languageIs(/^CUDA Fortran \(fixed form\)$/);
    ok('a .f file with CUDA is CUDA Fortran in fixed form');

    await s.openFile('ported.f90');
    await s.languageIs(/^Fortran$/);
    await s.goTo(4, 20);
    await s.press('End', 'Enter');
    await s.type('real, device :: d(10)');
    await s.languageIs(/^CUDA Fortran$/);
    await s.page.waitForTimeout(3000);
    assert.equal(await s.squiggles().count(), 0);
    ok('a .f90 file becomes CUDA Fortran while CUDA is typed, without errors');
  },
};
