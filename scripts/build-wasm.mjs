// @ts-check
// Builds the wasm modules of scripts/modules.mjs, such as crates/wasm → web/engine/core/: the glue, its types and the
// optimised module. Copies the modules that npm packages contain. Does nothing if no input has changed.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildIfStale } from './fingerprint.mjs';
import { isMain } from './main.mjs';
import { wasmModules } from './modules.mjs';
import { silencePanics } from './silent-panics.mjs';
import { mustRun } from './steps.mjs';
import { compilerVersion, root, toolEnv, wasmToolchain } from './toolchain.mjs';

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
const optimise = ['wasm-opt', ...features, '--strip-debug', '--strip-producers'];

/** @typedef {import('./modules.mjs').WasmModule} WasmModule */

/** @param {WasmModule} module @param {string} crate */
async function build({ name, out, silentPanics, wasmOpt = 3, wasmOptArgs = [] }, crate) {
  const { way, env, packArgs, cargoArgs } = wasmToolchain();
  console.log(`WebAssembly, ${name}, way ${way}`);
  // Builds into another folder first, so that a failed build keeps the old module.
  const fresh = path.join(root, 'target', 'wasm-pack');
  fs.rmSync(fresh, { recursive: true, force: true });
  // npm's binaryen is used for the optimisation.
  const pack = ['build', path.join(root, crate), ...packArgs, '--release', '--target', 'web', '--no-opt', '--no-pack'];
  const place = ['--out-dir', fresh, '--out-name', name];
  const extra = cargoArgs.length === 0 ? [] : ['--', ...cargoArgs];
  await mustRun(['wasm-pack', ...pack, ...place, ...extra], { env });
  const raw = path.join(fresh, `${name}_bg.wasm`);
  const before = fs.statSync(raw).size;
  if (silentPanics) silence(raw);
  await mustRun([...optimise, `-O${wasmOpt}`, ...wasmOptArgs, raw, '-o', raw]);
  const bytes = fs.readFileSync(raw);
  fs.rmSync(path.join(fresh, '.gitignore'), { force: true });
  fs.rmSync(path.join(root, out), { recursive: true, force: true });
  fs.cpSync(fresh, path.join(root, out), { recursive: true });
  console.log(`${name}_bg.wasm: ${before} → ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzip`);
}

/** @param {string} file a module whose panics lose their messages */
function silence(file) {
  const { bytes, functions, files } = silencePanics(fs.readFileSync(file));
  fs.writeFileSync(file, bytes);
  console.log(`panics: ${functions.length} functions and the places in ${files.length} files removed`);
}

/**
 * Copies a module of Emscripten that an npm package contains. Its glue gets no address of the module, because workers
 * get the module by message; the bundler would add a second copy of it to each worker. An address for another host of
 * scripts is removed, too.
 * @param {WasmModule} module
 * @param {string} glue
 */
function copy({ name, out }, glue) {
  const folder = path.join(root, out);
  const source = path.join(root, 'node_modules', glue);
  const wasm = path.basename(glue, '.js');
  const text = fs.readFileSync(source, 'utf8');
  const address = `new URL("${wasm}.wasm",import.meta.url).href`;
  if (text.split(address).length !== 2) throw new Error(`${glue} does not name its module as expected`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const plain = text.replace(address, '""').replaceAll('"https://localhost"', '""');
  fs.writeFileSync(path.join(folder, `${name}.js`), plain);
  fs.writeFileSync(path.join(folder, `${name}.d.ts`), emscriptenTypes);
  fs.copyFileSync(source.replace(/js$/, 'wasm'), path.join(folder, `${name}_bg.wasm`));
}

/** The part of Emscripten's glue that is used. With `instantiateWasm` it fills the object before it returns. */
const emscriptenTypes = `declare const factory: (module: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    onInstance: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports;
}) => Promise<unknown>;
export default factory;
`;

// The inputs of every module beside its crates: changed crates, the compiler and its flags, wasm-opt (an npm package).
export const sharedInputs = [
  'Cargo.toml',
  'Cargo.lock',
  '.cargo/config.toml',
  'crates/wasm-tools',
  'crates/vendor',
  'rust-toolchain.toml',
  'package-lock.json',
  'scripts/build-wasm.mjs',
  'scripts/modules.mjs',
  'scripts/silent-panics.mjs',
  'scripts/toolchain.mjs',
];

/** @typedef {{ name: string, path?: string, kind: string | null }} Dependency `path`: of a crate of this project */
/** @typedef {{ manifest_path: string, dependencies: Dependency[] }} Package */

/** @returns {Package[]} the crates of this project, as cargo knows them */
function workspaceCrates() {
  const args = ['metadata', '--no-deps', '--format-version', '1', '--offline'];
  const text = execFileSync('cargo', args, { cwd: root, env: toolEnv(), encoding: 'utf8', maxBuffer: 1 << 26 });
  return JSON.parse(text).packages;
}

/**
 * The folders of a crate and of all crates of this project that it is built from.
 * @param {string} crate relative to the project
 * @param {Package[]} [packages]
 * @returns {string[]} relative to the project
 */
export function cratesBehind(crate, packages = workspaceCrates()) {
  const folders = new Set([path.join(root, crate)]);
  for (const folder of folders) {
    const dependencies = packages.find((one) => path.dirname(one.manifest_path) === folder)?.dependencies ?? [];
    for (const { path: place, kind } of dependencies) if (place !== undefined && kind !== 'dev') folders.add(place);
  }
  return [...folders].map((folder) => path.relative(root, folder)).sort();
}

/** @returns {Promise<void>} */
export async function buildWasm() {
  const also = `${wasmToolchain().way} ${compilerVersion()}`;
  const packages = workspaceCrates();
  for (const module of wasmModules) {
    const { crate, npm = '' } = module;
    const outcome = await buildIfStale({
      name: `wasm-${module.name}`,
      inputs: [...(crate === undefined ? [] : cratesBehind(crate, packages)), ...sharedInputs],
      outputs: [module.out],
      also,
      build: async () => (crate === undefined ? copy(module, npm) : build(module, crate)),
    });
    if (outcome === 'fresh') console.log(`WebAssembly, ${module.name}: unchanged`);
  }
}

if (isMain(import.meta)) await buildWasm();
