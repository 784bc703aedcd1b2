// The resources of the device: memory and processors.

import { memoryBudget } from '../../domain/device-memory.ts';

/**
 * The maximum of jobs at a time. More gain little, because they share the memory bus, and use up the memory of a phone.
 */
const MAX_CONCURRENCY = 4;

/** Returns the bytes of memory that all running jobs together may use. */
export function defaultMemory(): number {
  return memoryBudget(deviceGib());
}

export function defaultConcurrency(): number {
  return Math.min(navigator.hardwareConcurrency || 1, MAX_CONCURRENCY);
}

/** Returns `navigator.deviceMemory`, which some browsers do not have. */
function deviceGib(): number | undefined {
  return 'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number' ? navigator.deviceMemory : undefined;
}
