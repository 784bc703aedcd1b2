// @ts-check
// `npm test [-- all|quick]`. To add a suite, add a line to the steps.
//   npm test            every test once, and tests whose result can differ between engines in each of them. Steps that
//                       have passed with the same inputs are not run again; with CI=true all are
//   npm test -- all     every step, and every scenario in every engine
//   npm run test:quick  types, lint, unit tests, the changed crates, the scenarios tagged @quick in one Chromium
import { engineNames, withoutEngines } from '../tests/lib/engines.mjs';
import { quickChecks } from './checks.mjs';
import { generatedFolders } from './modules.mjs';
import { storedProofs } from './proofs.mjs';
import { countRetries, retryResult } from './retries.mjs';
import { runSteps, summarise } from './steps.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

/** @param {string[]} projects of vitest.config.ts */
const vitest = (...projects) => ['vitest', 'run', ...projects.flatMap((project) => ['--project', project])];

/** Tests the crates in the background, because that needs no browser. @param {string} mode @returns {Step} */
const rustTests = (mode) => ({
  name: 'rust lint and tests',
  run: ['node', 'scripts/rust-tests.mjs', mode],
  background: true,
});

/** @type {Step} */
const unitTests = { name: 'unit tests', run: vitest('node') };
/** @type {Step} */
const build = { name: 'build', run: ['node', 'scripts/build.mjs'] };

// The inputs of every browser test besides its own files.
const harness = ['package-lock.json', 'vitest.config.ts', 'scripts', 'tests/lib'];
const playwrightEngines = withoutEngines(['chromium', 'firefox']);

/** @type {Step[]} */
const browserSteps = [
  {
    name: 'modules in each engine',
    run: vitest('browser', 'webkit'),
    skip: withoutEngines(engineNames),
    inputs: [...harness, 'web', ...generatedFolders, 'tests/golden', 'tests/engines', 'tests/fixtures', 'locales'],
  },
  {
    name: 'engine as a package, in each engine',
    run: vitest('engines'),
    needs: 'build',
    skip: withoutEngines(engineNames),
    inputs: [...harness, 'dist/engine', 'tests/engines'],
  },
  {
    name: 'site',
    run: vitest('site'),
    needs: 'build',
    inputs: [...harness, 'dist/site', 'dist/hosting', 'tests/site', 'web', 'locales', 'content'],
  },
  {
    name: 'end to end',
    run: ['playwright', 'test', '--pass-with-no-tests'],
    needs: 'build',
    skip: playwrightEngines,
    inputs: [...harness, 'playwright.config.ts', 'dist/site', 'tests/e2e', 'tests/fixtures'],
  },
];

/** @param {boolean} everything @returns {Step[]} */
const wholeRun = (everything) => [
  rustTests(everything ? 'all' : 'changed'),
  ...quickChecks,
  unitTests,
  build,
  { name: 'page weight', run: ['node', 'scripts/size.mjs'], needs: 'build' },
  {
    name: 'golden tables',
    run: ['node', 'scripts/golden.mjs', '--check'],
    needs: 'build',
    inputs: [
      ...generatedFolders,
      'web/engine/node',
      'tests/golden',
      'tests/fixtures',
      'crates/simd',
      'Cargo.lock',
      'Cargo.toml',
      'scripts',
    ],
  },
  ...browserSteps,
];

/** @type {Step[]} */
const quickRun = [
  rustTests('quick'),
  ...quickChecks,
  unitTests,
  build,
  {
    name: 'ten scenarios in Chromium',
    run: ['playwright', 'test', '--project', 'chromium', '--grep', '@quick'],
    needs: 'build',
    skip: withoutEngines(['chromium']),
  },
];

const mode = process.argv[2] ?? '';
if (!['', 'all', 'quick'].includes(mode)) throw new Error(`npm test accepts "all" and "quick", not "${mode}"`);
if (mode === 'all') process.env['ALL_ENGINES'] = '1';
const everything = mode === 'all' || (process.env['CI'] ?? '') !== '';

countRetries();
const steps = mode === 'quick' ? quickRun : wholeRun(everything);
const results = await runSteps(steps, { proofs: storedProofs({ renew: everything }) });
summarise([...results, retryResult()]);
