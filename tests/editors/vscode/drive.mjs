// Drives VS Code through all scenarios, or those that are named: drive.mjs EXTENSION.vsix [NAME...]
// Each step that works is a line "ok ...", with the seconds since its scenario began. A scenario ends at its
// first failure, with a picture of what the user would see.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, Session } from './session.mjs';
import { scenario as actions } from './scenarios/actions.mjs';
import { scenario as broken } from './scenarios/broken_path.mjs';
import { scenario as first } from './scenarios/first_run.mjs';
import { scenario as panel } from './scenarios/occupancy.mjs';
import { debugging, scenario as tools } from './scenarios/tools.mjs';
import { scenario as untrusted } from './scenarios/untrusted.mjs';

const tree = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const all = [actions, panel, tools, debugging, broken, untrusted, first];
const [extension, ...names] = process.argv.slice(2);
const browser = await openBrowser();
let failed = 0;
let current;
process.on('SIGTERM', () => {
  current?.kill();
  process.exit(1);
});
for (const scenario of all.filter(({ name }) => !names.length || names.includes(name))) {
  const session = new Session(browser, scenario, extension);
  current = session;
  let start = Date.now();
  const ok = (what) => console.log(`ok ${scenario.name}: ${what} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  try {
    await session.open();
    ok('VS Code is open');
    start = Date.now();
    await scenario.run(session, ok);
  } catch (error) {
    failed += 1;
    await session.picture('failure').catch(() => undefined);
    console.log(`not ok ${scenario.name}: ${error.stack ?? error}`);
  }
  await session.close();
}
await browser.close();
// The pictures of the README are taken here: PICTURES=1 puts them into the tree.
if (process.env.PICTURES && !failed)
  for (const [from, to] of [['actions-run', 'run'], ['occupancy-edit', 'occupancy']])
    fs.copyFileSync(path.join(process.env.EDITOR_OUTPUT, `pictures/${from}.png`), path.join(tree, `docs/pictures/${to}.png`));
process.exit(failed ? 1 : 0);
