// What the device offers the engine.

import { memoryBudget } from '../../domain/memory.ts';

/** More jobs at a time gain little, since all of them wait for the same memory bus, and use up a phone's memory. */
const MAX_CONCURRENCY = 4;

/** Bytes of memory that all running jobs together may use. */
export function defaultMemory(): number {
  return memoryBudget(deviceGib());
}

export function defaultConcurrency(): number {
  return Math.min(navigator.hardwareConcurrency || 1, MAX_CONCURRENCY);
}

/** `navigator.deviceMemory`, which some browsers do not tell. */
function deviceGib(): number | undefined {
  return 'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : undefined;
}
