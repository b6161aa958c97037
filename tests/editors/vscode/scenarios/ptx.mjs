// The PTX beside the source: it opens at the kernel with the cursor, follows it, has colours, and says no nonsense.
import assert from 'node:assert/strict';

const filler = Array.from({ length: 30 }, (_, i) => `    x(i) = x(i) * ${i + 2}.0 + sin(x(i))`).join('\n');
const TWO = `module two
  implicit none
contains
  attributes(global) subroutine first(x, n)
    real :: x(*)
    integer, value :: n
    integer :: i
    i = threadIdx%x
${filler}
  end subroutine first
  attributes(global) subroutine second(x, n)
    real :: x(*)
    integer, value :: n
    integer :: i
    i = threadIdx%x
    if (i <= n) x(i) = sqrt(x(i))
  end subroutine second
end module two
`;

export const scenario = {
  name: 'ptx',
  files: { 'two.cuf': TWO },
  async run(s, ok) {
    await s.openFile('two.cuf');
    await s.goTo(42, 5);
    await s.command('CUDA Fortran: Show PTX');
    const code = s.page.locator('.editor-group-container', { has: s.page.locator('.tab', { hasText: 'two.cuf.ptx' }) });
    const shown = () => code.locator('.view-lines').innerText().then((text) => text.replace(/\u00a0/g, ' '));
    await code.locator('.view-line', { hasText: '_QMtwoPsecond' }).first().waitFor();
    assert.match(await shown(), /\/\/ 45: if \(i <= n\) x\(i\) = sqrt/);
    await s.picture('second');
    ok('the PTX opens at the kernel with the cursor');

    const classes = new Set(await code.locator('.view-line span[class^="mtk"]').evaluateAll((all) => all.map((each) => getComputedStyle(each).color)));
    assert.ok(classes.size >= 4, [...classes].join());
    ok(`it has ${classes.size} colours`);

    await s.focusFirstEditor();
    await s.goTo(9, 5);
    await code.locator('.view-line', { hasText: '// 9: x(i)' }).first().waitFor();
    await s.goTo(45, 5);
    await code.locator('.view-line', { hasText: /sqrt/ }).first().waitFor();
    assert.ok(await code.locator('.view-overlays .cdr').count() > 0);
    await s.picture('follows');
    ok('it follows the cursor');

    await s.press('Control+2', 'Control+Home');
    const head = await s.shows('.editor-group-container.active .view-lines', /instructions:/);
    assert.doesNotMatch(head, /line 0:|\b1 [a-z]+s\b/);
    ok('its summary counts in words that fit, and names no line 0');
  },
};
