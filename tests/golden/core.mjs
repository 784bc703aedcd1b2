// @ts-check
// The modules in Node, as golden tables and benchmarks use them: failures are thrown, and the memory is returned.
import fs from 'node:fs';
import path from 'node:path';
import { initSync, memoryBytes, Run } from '../../web/engine/core/core.js';
import * as avif from '../../web/engine/avif/avif.js';
import * as heic from '../../web/engine/heic/heic.js';
import * as jxl from '../../web/engine/jxl/jxl.js';
import * as svg from '../../web/engine/svg/svg.js';
import { root } from '../../scripts/toolchain.mjs';
import { MemorySink, sourceOf } from '../../web/engine/node/memory.mjs';

/** The modules that are compiled. */
const loaded = { avif: false, core: false, heic: false, jxl: false, svg: false };

const decoders = { avif, heic, jxl, svg };

/** @param {string} file @returns {{ module: WebAssembly.Module }} */
function compiled(file) {
  return { module: new WebAssembly.Module(fs.readFileSync(path.join(root, 'web/engine', file))) };
}

/**
 * Runs one job and returns the report, the result and the current memory of the module.
 * @param {import('../../web/engine/core/core.js').Source} from
 * @param {import('../../web/engine/core/core.js').ResizeJob} job
 * @param {() => void} [onStep] called after each step of the job
 */
export function runInCore(from, job, onStep = () => undefined) {
  if (!loaded.core) initSync(compiled('core/core_bg.wasm'));
  loaded.core = true;
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

/**
 * Decodes a file in a module: its pictures, or of a drawing those of the job's parts, go to `rows`. Returns the current
 * memory of the module.
 * @param {keyof typeof decoders} name
 * @param {import('../../web/engine/core/core.js').Source} from
 * @param {import('../../web/engine/core/core.js').Sink} rows
 * @param {Pick<import('../../web/engine/core/core.js').ResizeJob, 'parts' | 'memory' | 'output'>} job
 */
export function decode(name, from, rows, { parts, memory, output }) {
  const { initSync: init, memoryBytes: held } = decoders[name];
  if (!loaded[name]) init(compiled(`${name}/${name}_bg.wasm`));
  loaded[name] = true;
  const options = { gainMap: parts.length === 1 && output.format === 'jpeg', memory };
  const decoder =
    name === 'svg'
      ? svg.Codec.decoder(from, rows, parts, memory)
      : decoders[name].Codec.decoder(from, rows, options);
  let answer = decoder.step();
  while (answer === undefined) answer = decoder.step();
  decoder.free();
  if ('failure' in answer) throw new Error(JSON.stringify(answer.failure));
  return held();
}

/**
 * Runs a job for an SVG file in both modules, as the page does.
 * @param {import('../../web/engine/core/core.js').Source} from
 * @param {import('../../web/engine/core/core.js').ResizeJob} job
 */
export function runDrawing(from, job) {
  const rows = new MemorySink();
  decode('svg', from, rows, job);
  const parts = job.parts.map((part, frame) => ({ ...part, frame, crop: { x: 0, y: 0, ...part.target } }));
  return runInCore(sourceOf(rows.bytes()), { ...job, parts });
}

/**
 * Returns the function that runs a job for a file in the module of its format and in the core, as the page does.
 * @param {'avif' | 'heic' | 'jxl'} name
 * @returns {(from: import('../../web/engine/core/core.js').Source, job: import('../../web/engine/core/core.js').ResizeJob) =>
 *   ReturnType<typeof runInCore>}
 */
export function runWith(name) {
  return (from, job) => {
    const rows = new MemorySink();
    decode(name, from, rows, job);
    return runInCore(sourceOf(rows.bytes()), job);
  };
}
