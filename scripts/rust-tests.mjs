// @ts-check
// Lints and tests the crates: `node scripts/rust-tests.mjs [all|changed|quick]`.
//   all      every crate
//   changed  crates whose tests have not passed with the current inputs: their files, the files of the crates that they
//            use, the lockfile, the fixtures, the machine
//   quick    crates whose own files have changed since their tests last passed
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { without } from './checks.mjs';
import { hashOf, readStamp, sha256, writeStamp } from './fingerprint.mjs';
import { isMain } from './main.mjs';
import { environment } from './proofs.mjs';
import { runProgram } from './steps.mjs';
import { root, toolEnv } from './toolchain.mjs';

/**
 * @typedef {object} Crate
 * @property {string} name
 * @property {string} folder
 * @property {string[]} uses the names of the workspace crates that it uses
 * @property {boolean} [hasExamples] whether the examples in its documentation are tested
 */
/**
 * @typedef {object} Package a crate as cargo describes it
 * @property {string} name
 * @property {string} manifest_path
 * @property {{ name: string, path?: string }[]} dependencies
 * @property {{ doctest: boolean }[]} targets
 */

// The files that the tests of any crate may read.
const common = [
  'Cargo.toml',
  'Cargo.lock',
  '.cargo',
  'clippy.toml',
  'rust-toolchain.toml',
  'crates/vendor',
  'tests/fixtures',
  'tests/golden/table.json',
];

/** @returns {Crate[]} */
function crates() {
  const command = ['metadata', '--format-version=1', '--no-deps', '--locked'];
  const json = execFileSync('cargo', command, { cwd: root, env: toolEnv(), encoding: 'utf8', maxBuffer: 1 << 26 });
  /** @type {{ packages: Package[] }} */
  const { packages } = JSON.parse(json);
  return packages.map(({ name, manifest_path, dependencies, targets }) => ({
    name,
    folder: path.relative(root, path.dirname(manifest_path)),
    uses: dependencies.filter((dependency) => dependency.path !== undefined).map((dependency) => dependency.name),
    hasExamples: targets.some(({ doctest }) => doctest),
  }));
}

/**
 * @param {Crate} crate
 * @param {Crate[]} all
 * @returns {string[]} the folders of the crate and of all crates that it uses, sorted
 */
export function foldersOf(crate, all) {
  const found = new Set([crate]);
  for (const { uses } of found) for (const other of all) if (uses.includes(other.name)) found.add(other);
  return [...found].map(({ folder }) => folder).sort();
}

/**
 * Returns the environment in which cargo compiles the crates of the workspace with clippy-driver, as `cargo clippy` does.
 * It is the compiler with more lints. `cargo clippy` would check all crates a second time, dependencies included.
 * @returns {NodeJS.ProcessEnv}
 */
function lintingEnv() {
  const env = toolEnv();
  if (without('clippy-driver', 'missing')() !== undefined) return env;
  return { ...env, RUSTC_WORKSPACE_WRAPPER: 'clippy-driver', CLIPPY_ARGS: '-Dwarnings__CLIPPY_HACKERY__' };
}

/**
 * Lints and tests crates.
 * @param {Crate[]} crates
 * @returns {Promise<number>} the exit code of cargo
 */
async function runCargo(crates) {
  const env = lintingEnv();
  const names = crates.flatMap(({ name }) => ['-p', name]);
  /** @param {string} targets */
  const test = (targets) => runProgram(['cargo', 'test', '--locked', '--quiet', targets, ...names], { env });
  // `--all-targets` includes libraries without tests, which `cargo test` would not compile, and so not lint.
  const code = await test('--all-targets');
  if (code !== 0 || !crates.some(({ hasExamples }) => hasExamples)) return code;
  // All crates again, not only those with examples: cargo enables the features that the named crates need, and another
  // list would compile many crates anew (110 s of processor time).
  return test('--doc');
}

/** @param {'all' | 'changed' | 'quick'} mode @returns {Promise<number>} the exit code of cargo */
async function testCrates(mode) {
  const all = crates();
  const machine = environment();
  const states = all.map((crate) => ({
    ...crate,
    whole: sha256(machine + hashOf([...foldersOf(crate, all), ...common])),
    own: hashOf([crate.folder]),
  }));
  const stale = states.filter(({ name, whole, own }) => {
    if (mode === 'all') return true;
    const kind = mode === 'quick' ? 'own' : 'whole';
    return readStamp(`rust-${kind}-${name}`) !== (kind === 'own' ? own : whole);
  });
  const proven = states.filter((state) => !stale.includes(state));
  if (proven.length > 0) console.log(`not run again: ${proven.map(({ name }) => name).join(', ')}`);
  if (stale.length === 0) return 0;
  const code = await runCargo(stale);
  if (code !== 0) return code;
  for (const { name, whole, own } of stale) {
    writeStamp(`rust-own-${name}`, own);
    if (mode !== 'quick') writeStamp(`rust-whole-${name}`, whole);
  }
  return 0;
}

if (isMain(import.meta)) {
  const mode = process.argv[2] ?? 'changed';
  if (mode !== 'all' && mode !== 'changed' && mode !== 'quick') throw new Error(`unknown mode: ${mode}`);
  process.exitCode = await testCrates(mode);
}
