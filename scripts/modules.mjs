// @ts-check
// The wasm modules of the engine, one row each. Building and budgets follow this table; the page's URLs of a module stand
// in web/engine/page/assets.ts.

/**
 * @typedef {object} WasmModule
 * @property {string} name of the files: `<name>.js`, `<name>_bg.wasm`
 * @property {string} crate the folder of the crate that it is built from
 * @property {string} out the folder for the module, its glue and its types
 * @property {number} budget the most bytes that it may have, compressed with gzip
 */

/** @type {readonly WasmModule[]} */
export const wasmModules = [{ name: 'core', crate: 'crates/wasm', out: 'web/engine/core', budget: 700_000 }];
