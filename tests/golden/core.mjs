// @ts-check
// The core in Node: the same module as on the page, with files and results in memory.
import fs from 'node:fs';
import path from 'node:path';
import { initSync, memoryBytes, Run } from '../../web/engine/core/core.js';
import { root } from '../../scripts/toolchain.mjs';

let loaded = false;

/** Compiles the module at the first call. */
function load() {
  if (loaded) return;
  const bytes = fs.readFileSync(path.join(root, 'web/engine/core/core_bg.wasm'));
  initSync({ module: new WebAssembly.Module(bytes) });
  loaded = true;
}

/**
 * Makes a source of bytes in memory.
 * @param {Uint8Array} bytes
 * @returns {import('../../web/engine/core/core.js').Source}
 */
export function source(bytes) {
  return {
    byteLen: () => bytes.length,
    readAt(offset, into) {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
  };
}

/** A result in memory, in the chunks that the core wrote. */
export class Result {
  /** @type {Buffer[]} */
  #chunks = [];

  bytes() {
    return Buffer.concat(this.#chunks);
  }

  /** @param {Uint8Array} chunk */
  write(chunk) {
    this.#chunks.push(Buffer.from(chunk));
  }

  /** @param {number} offset @param {Uint8Array} bytes */
  patch(offset, bytes) {
    const whole = this.bytes();
    whole.set(bytes, offset);
    this.#chunks = [whole];
  }

  reread() {
    return source(this.bytes());
  }

  progress() {}
}

/**
 * Runs one job and returns the report, the result and the current memory of the module.
 * @param {import('../../web/engine/core/core.js').Source} from
 * @param {import('../../web/engine/core/core.js').ResizeJob} job
 */
export function runInCore(from, job) {
  load();
  const into = new Result();
  const run = new Run(from, into, job);
  let answer = run.step();
  while (answer === undefined) answer = run.step();
  run.free();
  if ('failure' in answer) throw new Error(JSON.stringify(answer.failure));
  return { report: answer.ok, bytes: into.bytes(), memory: memoryBytes() };
}
