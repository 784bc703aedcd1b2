// @ts-check
// The wasm modules of the engine, one row each. The builds, the budgets and the service worker use this table.
// web/engine/page/assets.ts contains the URLs of the modules, web/domain/formats.ts the formats that they read.
import path from 'node:path';

/**
 * @typedef {object} WasmModule
 * @property {string} name the name in the files `<name>.js` and `<name>_bg.wasm`
 * @property {string} [crate] the folder of the module's crate, if the module is ours
 * @property {string} [npm] the glue of a module that an npm package contains; the module is beside it
 * @property {string} out the folder for the module, its glue and its types
 * @property {boolean} [silentPanics] whether the module contains no messages of panics (scripts/silent-panics.mjs)
 * @property {1 | 3 | 's'} [wasmOpt] the level of wasm-opt, if the module is ours
 * @property {readonly string[]} [wasmOptArgs] further arguments of wasm-opt
 * @property {string[]} workers the scripts in web/engine/worker that run it or serve it
 * @property {number} budget the maximum size in bytes, compressed with gzip
 * @property {'built-in' | 'device'} [heic] only sites with this value in web/site/config.ts contain the module
 * @property {'first-visit' | 'idle' | 'when-used'} stored when the service worker stores it: with the first visit; when the
 *   page is idle, unless the visitor saves data; or when it is first used
 */

/**
 * Functions with one caller stay functions, because V8 allocates registers worse in large ones: a progressive JPEG takes
 * 10 % less time, other files as long. Files of AVIF, HEIC and JPEG XL take as long, and their modules are up to 2 % smaller.
 */
const keepFunctions = ['--one-caller-inline-max-function-size=1'];

/** @type {readonly WasmModule[]} */
export const wasmModules = [
  {
    name: 'core',
    crate: 'crates/wasm',
    out: 'web/engine/core',
    // Takes 15 % less time than the linker's output for a PNG to PNG, 714 kB (286 kB gzip). -Os saves nothing after gzip
    // and is 5 % slower; -O4 is larger and not faster.
    wasmOpt: 3,
    wasmOptArgs: keepFunctions,
    silentPanics: true,
    workers: ['worker', 'reading-thread'],
    budget: 775_000,
    stored: 'first-visit',
  },
  {
    name: 'svg',
    crate: 'crates/wasm-svg',
    out: 'web/engine/svg',
    // 1,080 kB after gzip instead of 1,076 with -O3 and as fast, in a quarter of wasm-opt's time (15 instead of 52 s).
    wasmOpt: 1,
    silentPanics: true,
    workers: ['svg.worker'],
    budget: 1_080_000,
    stored: 'when-used',
  },
  {
    name: 'avif',
    crate: 'crates/wasm-avif',
    out: 'web/engine/avif',
    wasmOpt: 3,
    wasmOptArgs: keepFunctions,
    silentPanics: true,
    workers: ['avif.worker'],
    budget: 385_000,
    stored: 'when-used',
  },
  {
    name: 'heic',
    crate: 'crates/wasm-heic',
    out: 'web/engine/heic',
    wasmOpt: 3,
    wasmOptArgs: keepFunctions,
    silentPanics: true,
    workers: ['heic.worker'],
    heic: 'built-in',
    budget: 117_000,
    stored: 'when-used',
  },
  {
    // The same without a decoder of HEVC.
    name: 'heic-device',
    crate: 'crates/wasm-heic-device',
    out: 'web/engine/heic-device',
    wasmOpt: 3,
    wasmOptArgs: keepFunctions,
    silentPanics: true,
    workers: ['heic-device.worker'],
    heic: 'device',
    budget: 78_000,
    stored: 'when-used',
  },
  {
    name: 'jxl',
    crate: 'crates/wasm-jxl',
    out: 'web/engine/jxl',
    // 354 kB with Brotli instead of 375 with -O1, up to 2 % slower, in 19 instead of 8 s of wasm-opt's time.
    wasmOpt: 's',
    wasmOptArgs: keepFunctions,
    silentPanics: true,
    workers: ['jxl.worker'],
    budget: 485_000,
    stored: 'when-used',
  },
  {
    // libwebp, which encodes the pictures of WebP files. Its worker has the core, too.
    name: 'webp',
    npm: '@jsquash/webp/codec/enc/webp_enc_simd.js',
    out: 'web/engine/webp',
    workers: ['webp.worker'],
    budget: 130_000,
    stored: 'when-used',
  },
  {
    // libavif with libaom, which encodes the pictures of AVIF files. Its worker has the core, too.
    name: 'avif-encoder',
    npm: '@jsquash/avif/codec/enc/avif_enc.js',
    out: 'web/engine/avif-encoder',
    workers: ['avif-encoder.worker'],
    budget: 1_150_000,
    stored: 'when-used',
  },
  {
    // libjxl, which encodes the pictures of JPEG XL files. Its worker has the core, too.
    name: 'jxl-encoder',
    npm: '@jsquash/jxl/codec/enc/jxl_enc.js',
    out: 'web/engine/jxl-encoder',
    workers: ['jxl-encoder.worker'],
    budget: 530_000,
    stored: 'when-used',
  },
];

/** What the builds of the modules write: an input of all that is built from it. */
export const generatedFolders = wasmModules.map(({ out }) => out);

/**
 * The modules of a site, by its way to open HEIC photos.
 * @param {'built-in' | 'device' | null} heic null is `built-in`
 */
export const modulesOf = (heic) =>
  wasmModules.filter((module) => module.heic === undefined || module.heic === (heic ?? 'built-in'));

/**
 * The module that a built file belongs to, by the file's name: `svg_bg-1a2b.wasm`, `svg.worker-1a2b.js`.
 * @param {string} file
 * @param {readonly WasmModule[]} [modules]
 * @returns {WasmModule | undefined}
 */
export function moduleOf(file, modules = wasmModules) {
  // The bundler adds a hash of eight characters.
  const stem = path.basename(file).replace(/(-[\w-]{8})?(?=\.(js|wasm)$)/, '');
  return modules.find(({ name, workers }) =>
    [`${name}_bg.wasm`, ...workers.map((worker) => `${worker}.js`)].includes(stem),
  );
}
