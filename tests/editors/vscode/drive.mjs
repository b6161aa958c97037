// Drives VS Code through all scenarios, or those that are named: drive.mjs EXTENSION.vsix [NAME...]
// Each step that works is a line "ok ...", with the seconds since its scenario began. A scenario ends at its
// first failure, with a picture of what the user would see and what VS Code said. It is then tried once more, in a
// fresh VS Code: clicks get lost while it rebuilds what is clicked on. What failed is printed either way. ONCE=1 leaves the
// second try out.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, Session } from './session.mjs';
import { scenario as again } from './scenarios/again.mjs';
import { scenario as files } from './scenarios/fortran_files.mjs';
import { scenario as peace } from './scenarios/beside_other.mjs';
import { scenario as looks } from './scenarios/looks.mjs';
import { scenario as once } from './scenarios/once.mjs';
import { scenario as ptx } from './scenarios/ptx.mjs';
import { scenario as typing } from './scenarios/typing.mjs';
import { scenario as actions } from './scenarios/actions.mjs';
import { scenario as debug } from './scenarios/debugger.mjs';
import { scenario as broken } from './scenarios/broken_path.mjs';
import { scenario as planted } from './scenarios/planted.mjs';
import { scenario as pictures } from './scenarios/pictures.mjs';
import { scenario as first } from './scenarios/first_run.mjs';
import { scenario as panel } from './scenarios/occupancy.mjs';
import { scenario as times } from './scenarios/times.mjs';
import { scenario as tools } from './scenarios/tools.mjs';
import { scenario as untrusted } from './scenarios/untrusted.mjs';
import { scenario as words } from './scenarios/words.mjs';

const tree = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const all = [typing, words, files, peace, once, again, ptx, looks, actions, panel, times, tools, debug, broken, untrusted, first, planted,
  ...(process.env.PICTURES ? [pictures] : [])];
const [extension, ...names] = process.argv.slice(2);
const browser = await openBrowser();
let failed = 0;
let current;
process.on('SIGTERM', () => {
  current?.kill();
  process.exit(1);
});

// The error, or nothing. Steps are printed when the scenario ends, so that each counts once.
async function attempt(scenario) {
  const session = new Session(browser, scenario, extension);
  current = session;
  let start = Date.now();
  const steps = [];
  const ok = (what) => steps.push(`ok ${scenario.name}: ${what} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  let failure;
  try {
    await session.open();
    ok('VS Code is open');
    start = Date.now();
    await scenario.run(session, ok);
  } catch (error) {
    await session.picture('failure').catch(() => undefined);
    const said = await session.notifications().catch(() => '');
    failure = `${error.stack ?? error}${said && `\nVS Code says: ${said}`}`;
  }
  await session.close();
  return { steps, failure };
}

for (const scenario of all.filter(({ name }) => !names.length || names.includes(name))) {
  let { steps, failure } = await attempt(scenario);
  if (failure && !process.env.ONCE) {
    console.log(`once more ${scenario.name}: ${failure}`);
    ({ steps, failure } = await attempt(scenario));
  }
  for (const step of steps) console.log(step);
  if (failure) {
    failed += 1;
    console.log(`not ok ${scenario.name}: ${failure}`);
  }
}
await browser.close();
// PICTURES=1 puts the pictures of the documentation into the tree.
if (process.env.PICTURES && !failed)
  for (const name of ['fix', 'hover', 'run', 'occupancy', 'ptx'])
    fs.copyFileSync(path.join(process.env.EDITOR_OUTPUT, `pictures/pictures-${name}.png`), path.join(tree, `docs/pictures/${name}.png`));
process.exit(failed ? 1 : 0);
