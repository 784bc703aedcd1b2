// @ts-check
// `npm test`: the whole proof, on whatever this machine has. A new suite is one line in `steps`. Browsers wait half of their
// time: what compiles Rust runs beside them and takes it. Tests of Rust do not, since some of them look at a clock.
import { engineNames, withoutEngines } from '../tests/lib/engines.mjs';
import { quickChecks } from './checks.mjs';
import { runSteps, summarise } from './steps.mjs';

/** @param {string} project of vitest.config.ts */
const vitest = (project) => ['vitest', 'run', '--project', project];

const rustTests = ['cargo', 'test', '--workspace', '--locked', '--quiet'];
const playwrights = withoutEngines(['chromium', 'firefox']);

/** @type {import('./steps.mjs').Step[]} */
const steps = [
  ...quickChecks,
  { name: 'rust tests, compiled', run: [...rustTests, '--no-run'], beside: true },
  { name: 'unit tests', run: vitest('node') },
  { name: 'build', run: ['node', 'scripts/build.mjs'] },
  { name: 'page weight', run: ['node', 'scripts/size.mjs'], needs: 'build' },
  { name: 'golden tables', run: ['node', 'scripts/golden.mjs', '--check'], needs: 'build' },
  { name: 'site', run: vitest('site'), needs: 'build' },
  { name: 'modules in Chromium and Firefox', run: vitest('browser'), skip: playwrights },
  { name: 'modules in WebKit', run: vitest('webkit'), skip: withoutEngines(['webkit']) },
  { name: 'scenarios in three engines', run: vitest('engines'), needs: 'build', skip: withoutEngines(engineNames) },
  { name: 'end to end', run: ['playwright', 'test', '--pass-with-no-tests'], needs: 'build', skip: playwrights },
  { name: 'rust tests', run: rustTests, needs: 'rust tests, compiled' },
];

summarise(await runSteps(steps));
