// @ts-check
// The memory of the browser's processes: the proportional set size, which counts shared pages once (proc(5)).
import fs from 'node:fs';
import { descendants } from './processor.mjs';

/** @typedef {{ renderer: number, all: number }} Resident bytes of the pages' processes, and of all processes */

/** @param {number} pid @returns {number} bytes; 0 if the process has ended */
function proportionalSize(pid) {
  try {
    const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function isRenderer(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer');
  } catch {
    return false;
  }
}

/** Returns the memory of all processes that this process has started. @returns {Resident} */
export function resident() {
  const sum = { renderer: 0, all: 0 };
  for (const { pid } of descendants()) {
    const size = proportionalSize(pid);
    sum.all += size;
    if (isRenderer(pid)) sum.renderer += size;
  }
  return sum;
}

/**
 * Runs `work` and returns by how much the memory grew at most, sampled every few milliseconds.
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Resident>}
 */
export async function growth(work) {
  const before = resident();
  const most = { ...before };
  const sample = () => {
    const now = resident();
    most.renderer = Math.max(most.renderer, now.renderer);
    most.all = Math.max(most.all, now.all);
  };
  const timer = setInterval(sample, 10);
  try {
    await work();
    sample();
  } finally {
    clearInterval(timer);
  }
  return { renderer: most.renderer - before.renderer, all: most.all - before.all };
}
