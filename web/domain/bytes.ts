// File sizes as text.

const LARGER_UNITS = ['KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/**
 * Formats a file size: `1536` → `1.5KB`. Each unit is 1024 times the unit before it and follows without a space;
 * trailing zeros are dropped. An invalid size (negative, not a number, infinite) becomes 0. `decimals` below 0 count
 * as 0. `byteUnit` is the smallest unit, the only one whose name differs between languages.
 */
export function formatBytes(bytes: number, decimals = 2, byteUnit = 'Bytes'): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return `0${byteUnit}`;
  const units = [byteUnit, ...LARGER_UNITS];
  // Division is exact at the powers of 1024; a logarithm is not.
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number.parseFloat(value.toFixed(Math.max(0, decimals)))}${units[unit]}`;
}
