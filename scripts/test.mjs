// @ts-check
// `npm test`: the whole proof, one step after another, on whatever this machine has. A new suite is one line in `steps`.
import { quickChecks } from './checks.mjs';
import { runSteps, summarise } from './steps.mjs';

/** @param {string} project of vitest.config.ts */
const vitest = (project) => ['vitest', 'run', '--project', project];

/** @type {import('./steps.mjs').Step[]} */
const steps = [
  ...quickChecks,
  { name: 'rust tests', run: ['cargo', 'test', '--workspace', '--locked', '--quiet'] },
  { name: 'unit tests', run: vitest('node') },
  { name: 'build', run: ['node', 'scripts/build.mjs'] },
  { name: 'golden tables', run: ['node', 'scripts/golden.mjs', '--check'], needs: 'build' },
  { name: 'site', run: vitest('site'), needs: 'build' },
  // The star takes a project that this machine has no browser for as empty instead of unknown.
  { name: 'modules in Chromium and Firefox', run: vitest('browser*') },
  { name: 'modules in WebKit', run: vitest('webkit*') },
  { name: 'scenarios in three engines', run: vitest('engines'), needs: 'build' },
  { name: 'end to end', run: ['playwright', 'test', '--pass-with-no-tests'], needs: 'build' },
];

summarise(await runSteps(steps));
