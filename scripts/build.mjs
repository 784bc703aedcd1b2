// @ts-check
// The whole build, in the order in which one part needs another. Parts that have not changed are left as they are.
import { buildEngine } from './build-engine.mjs';
import { buildSite } from './build-site.mjs';
import { buildWasm } from './build-wasm.mjs';
import { isMain } from './main.mjs';

/** @returns {Promise<void>} */
export async function buildAll() {
  await buildWasm();
  await buildEngine();
  await buildSite();
}

if (isMain(import.meta)) await buildAll();
