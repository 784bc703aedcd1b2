// @ts-check
// `npm test`: the whole proof, one step after another, on whatever this machine has. A new suite is one line in `steps`.
import { engineNames, withoutEngines } from '../tests/lib/engines.mjs';
import { quickChecks } from './checks.mjs';
import { runSteps, summarise } from './steps.mjs';

/** @param {string} project of vitest.config.ts */
const vitest = (project) => ['vitest', 'run', '--project', project];

const playwrights = withoutEngines(['chromium', 'firefox']);

/** @type {import('./steps.mjs').Step[]} */
const steps = [
  ...quickChecks,
  { name: 'rust tests', run: ['cargo', 'test', '--workspace', '--locked', '--quiet'] },
  { name: 'unit tests', run: vitest('node') },
  { name: 'build', run: ['node', 'scripts/build.mjs'] },
  { name: 'page weight', run: ['node', 'scripts/size.mjs'], needs: 'build' },
  { name: 'golden tables', run: ['node', 'scripts/golden.mjs', '--check'], needs: 'build' },
  { name: 'site', run: vitest('site'), needs: 'build' },
  { name: 'modules in Chromium and Firefox', run: vitest('browser'), skip: playwrights },
  { name: 'modules in WebKit', run: vitest('webkit'), skip: withoutEngines(['webkit']) },
  { name: 'scenarios in three engines', run: vitest('engines'), needs: 'build', skip: withoutEngines(engineNames) },
  { name: 'end to end', run: ['playwright', 'test', '--pass-with-no-tests'], needs: 'build', skip: playwrights },
];

summarise(await runSteps(steps));
