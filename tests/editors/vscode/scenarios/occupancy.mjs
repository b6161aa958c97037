// The occupancy panel: it shows the kernel at the cursor, follows it, asks what another block size would do,
// comes along after an edit, works by keyboard and in a light theme.
import assert from 'node:assert/strict';

function panel(s) {
  return s.page.frameLocator('iframe.webview').frameLocator('iframe');
}

async function colour(locator) {
  return locator.evaluate((element) => getComputedStyle(element).color);
}

export const scenario = {
  name: 'occupancy',
  async run(s, ok) {
    await s.openFile('kernels.cuf');
    await s.goTo(11, 9);
    await s.command('CUDA Fortran: Show Occupancy');
    const shown = panel(s);
    await shown.locator('h1', { hasText: 'scale' }).waitFor();
    const big = shown.locator('.big');
    await big.filter({ hasText: /\d+ % occupancy: \d+ blocks, \d+ of \d+ warps/ }).waitFor();
    assert.equal(await shown.locator('svg path.curve').count(), 3);
    await s.picture('dark');
    ok(`the panel shows three curves: ${(await big.innerText()).trim()}`);

    const slider = shown.locator('#blockSize-slider');
    await slider.focus();
    await s.press('Home');
    await shown.locator('#blockSize-value', { hasText: /^(1|32)$/ }).waitFor();
    await shown.locator('.big strong', { hasText: '50 %' }).waitFor();
    assert.equal(await shown.locator('#blockSize-slider').evaluate((each) => each === document.activeElement), true);
    await s.picture('slider');
    ok('the slider of the block size works by keyboard: half of the warps with blocks of 32');

    await shown.locator('#reset').click();
    await shown.locator('#blockSize-value', { hasText: '256' }).waitFor();
    await s.focusFirstEditor();
    await s.goTo(7, 1);
    await s.press('End', 'Enter');
    await s.page.keyboard.type('real, shared :: tile(8000)');
    await s.goTo(12, 1);
    await s.press('End', 'Enter');
    await s.page.keyboard.type('tile(i) = a(i); call syncthreads(); a(i) = tile(n - i)');
    await shown.locator('dl', { hasText: /shared memory\s*31/ }).waitFor();
    await s.picture('edit');
    ok('after an edit the panel shows the shared memory of the new text');

    const dark = await colour(shown.locator('h1 button'));
    await s.command('Preferences: Toggle between Light/Dark Themes');
    await s.page.waitForTimeout(1500);
    assert.notEqual(await colour(shown.locator('h1 button')), dark);
    await s.picture('light');
    ok('its colours are those of the theme');
  },
};
