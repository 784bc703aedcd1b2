// @ts-check
// The core in Node, as golden tables and benchmarks use it: failures are thrown, and the memory is returned.
import fs from 'node:fs';
import path from 'node:path';
import { initSync, memoryBytes, Run } from '../../web/engine/core/core.js';
import { root } from '../../scripts/toolchain.mjs';
import { MemorySink } from '../../web/engine/node/memory.mjs';

let loaded = false;

/** Compiles the module at the first call. */
function load() {
  if (loaded) return;
  const bytes = fs.readFileSync(path.join(root, 'web/engine/core/core_bg.wasm'));
  initSync({ module: new WebAssembly.Module(bytes) });
  loaded = true;
}

/**
 * Runs one job and returns the report, the result and the current memory of the module.
 * @param {import('../../web/engine/core/core.js').Source} from
 * @param {import('../../web/engine/core/core.js').ResizeJob} job
 * @param {() => void} [onStep] called after each step of the job
 */
export function runInCore(from, job, onStep = () => undefined) {
  load();
  const into = new MemorySink();
  const run = new Run(from, into, job);
  let answer = run.step();
  while (answer === undefined) {
    onStep();
    answer = run.step();
  }
  run.free();
  if ('failure' in answer) throw new Error(JSON.stringify(answer.failure));
  return { report: answer.ok, bytes: into.bytes(), memory: memoryBytes() };
}
