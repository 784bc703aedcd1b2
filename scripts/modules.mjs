// @ts-check
// The wasm modules of the engine, one row each. The build and the budgets use this table; web/engine/page/assets.ts
// contains the URLs of the modules.

/**
 * @typedef {object} WasmModule
 * @property {string} name the name in the files `<name>.js` and `<name>_bg.wasm`
 * @property {string} crate the folder of the module's crate
 * @property {string} out the folder for the module, its glue and its types
 * @property {number} budget the maximum size in bytes, compressed with gzip
 */

/** @type {readonly WasmModule[]} */
export const wasmModules = [{ name: 'core', crate: 'crates/wasm', out: 'web/engine/core', budget: 700_000 }];
