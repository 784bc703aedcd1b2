// @ts-check
// The processes that a benchmark has started, and their processor time, which other load on the machine disturbs less
// than wall-clock time. It counts every thread.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** @typedef {{ pid: number, parent: number, ticks: number }} Process */

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @returns {Process[]} every process in /proc */
function processes() {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The fields after the name, which may contain any character: state, parent …; user and system time are fields 14
      // and 15 (proc(5)).
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return [{ pid: Number(pid), parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) }];
    } catch {
      return []; // the process has ended in the meantime
    }
  });
}

/**
 * Returns all processes that this process has started, directly and indirectly.
 * @param {number} [except] a process that does not count
 * @returns {Process[]}
 */
export function descendants(except) {
  const all = processes();
  const below = (/** @type {number} */ pid) => all.filter(({ pid: own, parent }) => parent === pid && own !== except);
  const found = [];
  for (let generation = below(process.pid); generation.length > 0; ) {
    found.push(...generation);
    generation = generation.flatMap(({ pid }) => below(pid));
  }
  return found;
}

/**
 * Returns the processor time so far of all processes that this process has started, directly and indirectly.
 * @param {number} [except] a process that does not count
 * @returns {number} milliseconds, in steps of ten
 */
export function processorTime(except) {
  const sum = descendants(except).reduce((ticks, process) => ticks + process.ticks, 0);
  return (sum * 1000) / ticksPerSecond;
}
