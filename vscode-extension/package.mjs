// Makes the extension's .vsix: package.mjs --out FILE [--server DIR] [--target linux-x64] [--schema FILE]
// DIR is a build or an installation with bin/cufls and lib/cufc; with it the extension brings the server.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// libcufc_host.a and libcufc_gpu.a are scripts of the linker.
const isArchive = (file) => file.endsWith('.a') && fs.readFileSync(file).subarray(0, 7).toString() === '!<arch>';

const here = path.dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const { values } = parseArgs({ options: { out: { type: 'string' }, server: { type: 'string' }, target: { type: 'string' },
  schema: { type: 'string' } } });
if (!values.out) throw new Error('usage: package.mjs --out FILE [--server DIR] [--target linux-x64] [--schema FILE]');

// For another machine package.sh names a `strip` that knows its files.
const strip = process.env.STRIP ?? 'strip';

// cufls and cufc are one program with two names; a .vsix knows no links, so cufc becomes a script.
function bundle(from) {
  fs.rmSync('server', { recursive: true, force: true });
  fs.mkdirSync('server/bin', { recursive: true });
  execFileSync(strip, ['-o', 'server/bin/cufls', path.join(from, 'bin/cufls')]);
  fs.writeFileSync('server/bin/cufc', '#!/bin/bash\nexec -a cufc "$(dirname "$(readlink -f "$0")")/cufls" "$@"\n', { mode: 0o755 });
  fs.cpSync(path.join(from, 'lib/cufc'), 'server/lib/cufc', {
    recursive: true, filter: (file) => !fs.lstatSync(file).isSymbolicLink() });
  for (const file of fs.readdirSync('server/lib/cufc'))
    if (isArchive(path.join('server/lib/cufc', file))) execFileSync(strip, ['-g', path.join('server/lib/cufc', file)]);
}

fs.rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['esbuild.mjs', '--minify'], { stdio: 'inherit' });
const schema = values.schema ?? path.resolve(values.server ?? '../build', 'lib/cufc/cufls.schema.json');
fs.copyFileSync(schema, 'dist/cufls.schema.json');
fs.copyFileSync('../LICENSE', 'LICENSE');
if (values.server) bundle(path.resolve(values.server));
else fs.rmSync('server', { recursive: true, force: true });
// A package has no place in the web that pictures could be fetched from, so its page carries them.
const page = 'README.packaged.md';
fs.writeFileSync(page, fs.readFileSync('README.md', 'utf8').replace(/\]\(([^)\s]+\.png)\)/g, (_, picture) =>
  `](data:image/png;base64,${fs.readFileSync(path.resolve(picture)).toString('base64')})`));
const target = values.target ? ['--target', values.target] : [];
try {
  execFileSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', '--skip-license',
    '--allow-missing-repository', '--readme-path', page, '--no-rewrite-relative-links', '--out', path.resolve(values.out), ...target], { stdio: 'inherit' });
} finally {
  fs.rmSync(page, { force: true });
  fs.rmSync('server', { recursive: true, force: true });
  fs.rmSync('LICENSE', { force: true });
}
