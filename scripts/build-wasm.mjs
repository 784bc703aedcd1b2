// @ts-check
// Builds the wasm modules of scripts/modules.mjs, such as crates/wasm → web/engine/core/: the glue, its types and the
// optimised module. Does nothing if no input has changed.
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { freshly } from './fingerprint.mjs';
import { isMain } from './main.mjs';
import { wasmModules } from './modules.mjs';
import { mustRun } from './steps.mjs';
import { compilerVersion, root, wasmToolchain } from './toolchain.mjs';

// The list is explicit because stripping removes the list of features from the module.
const features = [
  '--enable-simd',
  '--enable-bulk-memory',
  '--enable-nontrapping-float-to-int',
  '--enable-sign-ext',
  '--enable-mutable-globals',
  '--enable-multivalue',
  '--enable-reference-types',
];
// -O3 takes 15 % less time than the linker's output for a PNG to PNG, 714 kB (286 kB gzip). -Os saves nothing after
// gzip and is 5 % slower; -O4 is larger and not faster.
const optimise = ['wasm-opt', '-O3', ...features, '--strip-debug', '--strip-producers'];

async function buildAll() {
  for (const module of wasmModules) await build(module);
}

/** @param {import('./modules.mjs').WasmModule} module */
async function build({ name, crate, out }) {
  const { way, env, packArgs, cargoArgs } = wasmToolchain();
  console.log(`WebAssembly, way ${way}`);
  // Builds into another folder first, so that a failed build keeps the old module.
  const fresh = path.join(root, 'target', 'wasm-pack');
  fs.rmSync(fresh, { recursive: true, force: true });
  const pack = ['build', path.join(root, crate), ...packArgs, '--release', '--target', 'web', '--no-opt', '--no-pack'];
  const place = ['--out-dir', fresh, '--out-name', name];
  const extra = cargoArgs.length === 0 ? [] : ['--', ...cargoArgs];
  await mustRun(['wasm-pack', ...pack, ...place, ...extra], { env });
  const raw = path.join(fresh, `${name}_bg.wasm`);
  const before = fs.statSync(raw).size;
  await mustRun([...optimise, raw, '-o', raw]);
  const bytes = fs.readFileSync(raw);
  fs.rmSync(path.join(fresh, '.gitignore'), { force: true });
  fs.rmSync(path.join(root, out), { recursive: true, force: true });
  fs.cpSync(fresh, path.join(root, out), { recursive: true });
  console.log(`${name}_bg.wasm: ${before} → ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzip`);
}

/**
 * All inputs that determine the bytes of the module: the sources, the compiler and its flags, wasm-opt (an npm
 * package).
 */
export const wasmInputs = [
  'crates',
  'Cargo.toml',
  'Cargo.lock',
  '.cargo/config.toml',
  'rust-toolchain.toml',
  'package-lock.json',
  'scripts/build-wasm.mjs',
  'scripts/modules.mjs',
  'scripts/toolchain.mjs',
];

/** @returns {Promise<void>} */
export async function buildWasm() {
  const outcome = await freshly({
    name: 'wasm',
    inputs: wasmInputs,
    outputs: wasmModules.map(({ out }) => out),
    also: `${wasmToolchain().way} ${compilerVersion()}`,
    build: buildAll,
  });
  if (outcome === 'fresh') console.log('WebAssembly: unchanged');
}

if (isMain(import.meta)) await buildWasm();
