// @ts-check
import { expect, test } from 'vitest';
import { moduleOf, wasmModules } from './modules.mjs';

const core = wasmModules.filter(({ name }) => name === 'core');
/** @type {import('./modules.mjs').WasmModule} */
const pretend = {
  name: 'pretend',
  crate: 'crates/wasm-pretend',
  out: 'web/engine/pretend',
  workers: ['pretend.worker'],
  budget: 1000,
  stored: 'when-used',
};

test.each([
  ['assets/core_bg-DfujcRyx.wasm', 'core'],
  ['assets/worker/worker-Div8A4LE.js', 'core'],
  ['assets/worker/reading-thread-a-_b1234.js', 'core'],
  ['core_bg.wasm', 'core'],
  ['worker.js', 'core'],
  ['assets/pretend_bg-12345678.wasm', 'pretend'],
  ['assets/worker/pretend.worker-12345678.js', 'pretend'],
  ['assets/worker-registration-12345678.js', undefined],
  ['assets/client-kHj2Rr3C.js', undefined],
  ['en/index.html', undefined],
])('%s belongs to %s', (file, name) => {
  expect(moduleOf(file, [...core, pretend])?.name).toBe(name);
});
