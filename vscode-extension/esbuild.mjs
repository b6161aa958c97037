// Bundles the extension and the scripts of the occupancy panel and of the view of threads into dist/.
import * as esbuild from 'esbuild';

const common = { bundle: true, sourcemap: true, minify: process.argv.includes('--minify'), logLevel: 'warning' };
await esbuild.build({
  ...common, entryPoints: ['src/extension.ts'], platform: 'node', target: 'node18', format: 'cjs',
  external: ['vscode'], loader: { '.cuf': 'text' }, outfile: 'dist/extension.js',
});
for (const name of ['occupancy', 'threads'])
  await esbuild.build({
    ...common, entryPoints: [`src/${name}/webview.ts`], platform: 'browser', target: 'es2022', format: 'iife',
    outfile: `dist/${name}.js`,
  });
