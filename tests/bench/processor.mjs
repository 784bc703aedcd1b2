// @ts-check
// Processor time, which a busy machine disturbs less than a clock on the wall, though it counts every thread that helps.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** @typedef {{ pid: number, parent: number, ticks: number }} Process */

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @returns {Process[]} every process that Linux tells of */
function processes() {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name, which may hold anything: state, parent …, user and system time as 14th and 15th field (proc(5)).
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return [{ pid: Number(pid), parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) }];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

/**
 * Processor time so far of all that this process has started, and of what those have.
 * @param {number} [except] a process that is left out
 * @returns {number} milliseconds, in steps of ten
 */
export function processorTime(except) {
  const all = processes();
  const below = (/** @type {number} */ pid) =>
    /** @type {Process[]} */ (all.filter(({ pid: own, parent }) => parent === pid && own !== except));
  let sum = 0;
  for (let generation = below(process.pid); generation.length > 0; ) {
    for (const { ticks } of generation) sum += ticks;
    generation = generation.flatMap(({ pid }) => below(pid));
  }
  return (sum * 1000) / ticksPerSecond;
}
