// Sizes of files for people.

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/**
 * `1536` → `1.5KB`: the unit, 1024 to the next, follows without a space; zeros at the end are dropped. What is no size
 * (negative, not a number, endless) reads `0Bytes`. `decimals` below 0 count as 0.
 */
export function formatBytes(bytes: number, decimals = 2): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return '0Bytes';
  // By division, not by logarithm: exact at the powers of 1024.
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number.parseFloat(value.toFixed(Math.max(0, decimals)))}${UNITS[unit]}`;
}
