// Completion of a word behind another word, typed quicker than the server answers: VS Code has asked about the first when the
// second begins, and must ask again.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const slow = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../slow_server.py');
const kernel = 'attributes(global) subroutine k(values, n)\n  integer, value :: n\n  real :: values(n)\n\nend subroutine\n';
const WORDS = [
  ['call syncth', 'syncthreads'], ['use cuda', 'cudafor'], ['use cudafor, only: cudaEv', 'cudaEventCreate'], ['real, dev', 'device'],
  ['type(di', 'dim3'], ['attributes(glo', 'global'], ['if (n > 1) va', 'values'], ['n = blockIdx%x + thr', 'threadIdx'], ['n = threadIdx%', 'x'],
  ['values(n) = 2 * val', 'values'], ['call k<<<n, bloc', 'blockDim'], ['!$cuf ker', 'kernel'], ['do while (n > val', 'values'], ['else if (n > val', 'values'],
];

export const scenario = {
  name: 'words',
  settings: { 'cufls.server.path': slow },
  files: { 'words.cuf': kernel },
  async run(s, ok) {
    await s.openFile('words.cuf');
    await s.editor.locator('.codelens-decoration a').first().waitFor(); // the server knows the file
    for (const [typed, wanted] of WORDS) {
      await s.goTo(4, 1);
      await s.page.keyboard.type(typed, { delay: 30 }); // 33 keys a second
      const label = s.page.locator('.suggest-widget.visible .monaco-list-row .label-name').filter({ hasText: new RegExp(`^${wanted.replace(/[()]/g, '\\$&')}`, 'i') });
      await label.first().waitFor({ timeout: 20_000 }).catch((error) => { throw new Error(`"${typed}" does not offer ${wanted}: ${error.message}`); });
      await s.press('Escape', 'Escape', 'Control+a');
      await s.page.keyboard.insertText(kernel);
    }
    ok(`${WORDS.length} words behind others, typed before the server answers, are completed`);
  },
};
