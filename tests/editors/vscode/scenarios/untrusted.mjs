// A folder that the user does not trust: errors are shown, nothing of it runs, and a server that its settings
// name is not started. Trust changes that without a reload.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const scenario = {
  name: 'untrusted',
  untrusted: true,
  async run(s, ok) {
    // As a malicious folder would have it: a "server" of its own.
    const trap = path.join(s.workspace, 'trap.sh'), sprung = path.join(s.folder, 'sprung');
    fs.writeFileSync(trap, `#!/bin/sh\ntouch ${sprung}\n`, { mode: 0o755 });
    fs.mkdirSync(path.join(s.workspace, '.vscode'), { recursive: true });
    fs.writeFileSync(path.join(s.workspace, '.vscode/settings.json'), JSON.stringify({ 'cufls.server.path': trap }));
    const no = s.page.locator('.monaco-dialog-box a.monaco-button, .monaco-dialog-box .monaco-button', { hasText: "No, I don't trust" });
    await no.click();
    await s.openFile('mistake.cuf');
    await s.squiggles().first().waitFor({ state: 'attached' });
    await s.picture('squiggle');
    ok('errors are shown without trust');

    await s.openFile('main.cuf');
    await s.command('CUDA Fortran: Build and Run');
    await s.page.locator('.notification-toast', { hasText: 'not trusted' }).waitFor();
    await s.picture('refused');
    assert.equal(await s.page.locator('.terminal-wrapper').count(), 0);
    assert.ok(!fs.existsSync(sprung));
    ok('Build and Run asks for trust and runs nothing; the server of the folder is not started');

    // The settings of the folder count once it is trusted, so the trap is taken away first.
    fs.rmSync(path.join(s.workspace, '.vscode'), { recursive: true });
    await s.command('Workspaces: Manage Workspace Trust');
    await s.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await s.page.locator('.workspace-trust-editor', { hasText: 'trusted' }).first().waitFor();
    await s.openFile('main.cuf');
    await s.command('CUDA Fortran: Build and Run');
    await s.terminalShows(/sum is\s+3000[\s\S]*PASS/);
    await s.picture('granted');
    ok('with trust granted later the program is built and runs, without a reload');
  },
};
