// @ts-check
// The whole build. The order follows from the dependencies; unchanged parts are not built again.
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
