// Drives VS Code through all scenarios, or those that are named: drive.mjs EXTENSION.vsix [NAME...]
// Each step that works is a line "ok ...", with the seconds since its scenario began. A scenario ends at its
// first failure, with a picture of what the user would see.
import { openBrowser, Session } from './session.mjs';
import { scenario as actions } from './scenarios/actions.mjs';
import { scenario as broken } from './scenarios/broken_path.mjs';
import { scenario as first } from './scenarios/first_run.mjs';
import { scenario as panel } from './scenarios/occupancy.mjs';
import { scenario as untrusted } from './scenarios/untrusted.mjs';

const all = [actions, panel, broken, untrusted, first];
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
process.exit(failed ? 1 : 0);
