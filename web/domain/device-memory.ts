// The memory that the engine may use on a device.

const MIB = 1 << 20;

/** The value for browsers without `navigator.deviceMemory`. */
const USUAL_DEVICE_GIB = 4;
const LEAST_BUDGET = 256 * MIB;
const LARGEST_BUDGET = 2048 * MIB;

/**
 * Returns the bytes that all running jobs together may hold: a quarter of the device's memory, because the browser, the
 * page and the finished results need the rest. The maximum is 2 GiB, half of the 32-bit address space. `deviceGib` is
 * `navigator.deviceMemory`, if the browser has it.
 */
export function memoryBudget(deviceGib: number | undefined): number {
  const quarter = ((deviceGib ?? USUAL_DEVICE_GIB) * 1024 * MIB) / 4;
  return Math.min(Math.max(quarter, LEAST_BUDGET), LARGEST_BUDGET);
}
