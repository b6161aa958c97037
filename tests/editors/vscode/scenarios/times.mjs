// What a run measures stands above its kernels and its program, and is marked when the text has changed.
import assert from 'node:assert/strict';

const KERNEL = /\d (ns|us|ms|s), 1 call.* on (CPU|\w)/; // transfers have no time
const STALE = new RegExp(`${KERNEL.source}.*of an earlier text`);

async function lens(s, pattern) {
  const link = s.page.locator('.editor-group-container.active .codelens-decoration a', { hasText: pattern }).first();
  await link.waitFor();
  return (await link.innerText()).replace(/\u00a0/g, ' ');
}

export const scenario = {
  name: 'times',
  files: { 'heat.cuf': `module kernels
  implicit none
contains
  attributes(global) subroutine scale(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i <= n) a(i) = 2 * a(i) + 1
  end subroutine
end module
program heat
  use kernels
  implicit none
  integer, parameter :: n = 1000000
  real, device :: a(n)
  real :: b(n)
  a = 1
  call scale<<<(n + 255) / 256, 256>>>(a, n)
  b = a
  print *, 'sum is', sum(b)
end program
` },
  async run(s, ok) {
    await s.openFile('heat.cuf');
    await s.click(s.page.locator('.codelens-decoration a', { hasText: 'Run on CPU' }).first());
    await s.terminalShows(/sum is/);
    const kernel = await lens(s, KERNEL);
    await s.picture('kernel');
    ok(`after one click a lens shows the kernel's time: ${kernel}`);
    const transfers = await lens(s, /to the device .* GB\/s, from the device/);
    ok(`and another one the transfers: ${transfers}`);
    await s.goTo(9, 29);
    await s.press('End');
    await s.page.keyboard.type(' ! changed');
    const stale = await lens(s, STALE);
    assert.ok(stale.startsWith(kernel.split(',')[0]), stale);
    ok('after an edit both are of an earlier text');
    await s.click(s.page.locator('.codelens-decoration a', { hasText: 'Run on CPU' }).first());
    await s.page.locator('.codelens-decoration a', { hasText: 'of an earlier text' }).first().waitFor({ state: 'detached' });
    await lens(s, KERNEL);
    ok('and after another run no more');
  },
};
