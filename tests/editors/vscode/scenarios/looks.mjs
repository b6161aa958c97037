// What can be told apart, read, and found: the colours of memories in VS Code's own themes, hints that are no code,
// launches of another GPU, the panel's sliders, the extension's page.
import assert from 'node:assert/strict';

const SPACES = `module spaces
  use cudafor
  implicit none
  real, constant :: factor_c(8)
contains
  attributes(global) subroutine work(array_d, n)
    real, device :: array_d(*)
    integer, value :: n
    real, shared :: tile_s(64)
    real :: own(4)
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    tile_s(threadIdx%x) = factor_c(1)
    own = tile_s(1)
    call syncthreads()
    if (i <= n) array_d(i) = own(1)
  end subroutine work
  subroutine launch(n)
    integer, intent(in) :: n
    real, device :: moved_d(64)
    real :: plain_h(64)
    call work<<<1, 64>>>(moved_d, n)
    plain_h = moved_d
  end subroutine launch
end module spaces
`;

async function colours(s, ok) {
  await s.openFile('spaces.cuf');
  await s.editor.locator('.codelens-decoration a').first().waitFor();
  for (const theme of ['Default Dark Modern', 'Default Light Modern']) {
    if (theme.includes('Light')) await s.command('Preferences: Toggle between Light/Dark Themes');
    await s.page.waitForTimeout(2500);
    const found = {};
    for (const word of ['array_d', 'tile_s', 'factor_c', 'plain_h']) found[word] = await s.colourOf(word);
    assert.equal(new Set(Object.values(found)).size, 4, `${theme}: ${JSON.stringify(found)}`);
    assert.equal(await s.colourOf('moved_d'), found.array_d);
    await s.picture(theme.includes('Light') ? 'light' : 'dark');
  }
  ok('device, shared, constant and host data have four colours in the dark and the light default theme');
  await s.command('Preferences: Toggle between Light/Dark Themes');
}

async function hints(s, ok) {
  const text = await s.shows('.editor-instance .view-lines', /in local memory/);
  assert.match(text, /own\(4\)\s*in local memory/);
  assert.doesNotMatch(text, /, (?:local|device)\b\s*$/m);
  assert.match(text, /64 threads/);
  assert.doesNotMatch(text, /\u2026/);
  ok('hints read as words, and none is cut');
  const lens = await s.shows('.codelens-decoration', /registers?, .*occupancy \d+ % with \d+ threads/);
  assert.match(lens, /on H100/);
  assert.equal(await s.editor.locator('.cdr.squiggly-info, .cdr.squiggly-hint').count(), 0);
  ok('the lens says occupancy and of which GPU, and a small launch is not underlined for a GPU that is not here');
}

async function sliders(s, ok) {
  await s.goTo(14, 9);
  await s.command('CUDA Fortran: Show Occupancy');
  const panel = s.page.frameLocator('iframe.webview').frameLocator('iframe');
  await panel.locator('svg path.curve').nth(2).waitFor();
  const distances = await panel.locator('figure').evaluateAll((all) => all.map((figure) => {
    const slider = figure.querySelector('input'), box = slider.getBoundingClientRect(), thumb = 14;
    const share = (slider.value - slider.min) / (slider.max - slider.min);
    const mark = figure.querySelector('circle.current').getBoundingClientRect();
    return Math.abs(box.x + thumb / 2 + share * (box.width - thumb) - (mark.x + mark.width / 2));
  }));
  assert.ok(distances.every((distance) => distance < 4), distances.join());
  await s.command('Preferences: Toggle between Light/Dark Themes');
  await s.page.waitForTimeout(1500);
  await s.picture('sliders');
  await s.command('Preferences: Toggle between Light/Dark Themes');
  ok(`the sliders' thumbs stand below the marks of their plots (${distances.map((each) => each.toFixed(1)).join(', ')} pixels beside)`);
}

async function page(s, ok) {
  await s.closeAll();
  await s.press('Control+Shift+x');
  await s.page.locator('.extension-list-item', { hasText: 'CUDA Fortran' }).first().click();
  const body = s.page.frameLocator('iframe.webview').frameLocator('iframe');
  await body.locator('h1', { hasText: 'CUDA Fortran' }).waitFor();
  const widths = await body.locator('img').evaluateAll((all) => all.map((each) => each.naturalWidth));
  assert.ok(widths.length >= 3 && widths.every((width) => width > 200), widths.join());
  const icon = await s.page.locator('.extension-editor .icon-container img, .extension-editor img.icon').first().evaluate((each) => each.naturalWidth);
  assert.equal(icon, 128);
  await s.picture('page');
  ok(`the extension's page has an icon and ${widths.length} pictures`);
}

export const scenario = {
  name: 'looks',
  files: { 'spaces.cuf': SPACES },
  async run(s, ok) {
    for (const part of [colours, hints, sliders, page]) await part(s, ok);
  },
};
