// Bundles the extension and the script of the occupancy panel into dist/.
import * as esbuild from 'esbuild';

const common = { bundle: true, sourcemap: true, minify: process.argv.includes('--minify'), logLevel: 'warning' };
await esbuild.build({
  ...common, entryPoints: ['src/extension.ts'], platform: 'node', target: 'node18', format: 'cjs',
  external: ['vscode'], loader: { '.cuf': 'text' }, outfile: 'dist/extension.js',
});
await esbuild.build({
  ...common, entryPoints: ['src/occupancy/webview.ts'], platform: 'browser', target: 'es2022', format: 'iife',
  outfile: 'dist/occupancy.js',
});
