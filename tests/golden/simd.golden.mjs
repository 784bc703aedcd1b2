// @ts-check
// Runs the tests of crates/simd as WebAssembly, so that its code for browsers is compared with the specification too.
// The test harness cannot print: a failed test traps, and `main` returns 0 if all have passed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, wasmToolchain } from '../../scripts/toolchain.mjs';

const { env, cargoArgs } = wasmToolchain();
const build = ['test', '--locked', '-p', 'simd', '--lib', '--no-run', '--target', 'wasm32-unknown-unknown'];
const { status, stdout } = spawnSync('cargo', [...build, '--message-format=json', ...cargoArgs], {
  cwd: root,
  // A folder of its own, because cargo would wait here until the Rust tests are compiled.
  env: { ...env, CARGO_TARGET_DIR: path.join(root, 'target', 'wasm-tests') },
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) throw new Error('the tests of crates/simd do not compile');
/** @type {string | undefined} */
const file = stdout
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line).executable)
  .find((executable) => typeof executable === 'string');
if (file === undefined) throw new Error('cargo names no test module');
const { instance } = await WebAssembly.instantiate(fs.readFileSync(file), {});
const main = /** @type {(argc: number, argv: number) => number} */ (instance.exports['main']);
const failed = main(0, 0);
console.log(`crates/simd in WebAssembly: ${failed === 0 ? 'as specified' : 'tests failed'}`);
if (failed !== 0) process.exitCode = 1;
