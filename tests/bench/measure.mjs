// @ts-check
// Statistics of times, and tables in Markdown.

/** @typedef {{ median: number, least: number, most: number }} Times milliseconds */

/** @param {number[]} times @returns {Times} */
export function summarise(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (/** @type {number} */ i) => sorted[i] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, least: at(0), most: at(sorted.length - 1) };
}

/** @param {Times} times @returns {string} `123 (117–140)` */
export function range({ median, least, most }) {
  return `${median.toFixed(0)} (${least.toFixed(0)}–${most.toFixed(0)})`;
}

/**
 * Prints an aligned table in Markdown.
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function printTable(head, rows) {
  const widths = head.map((title, i) => Math.max(...[title, ...rows.map((row) => row[i] ?? '')].map((s) => s.length)));
  const line = (/** @type {string[]} */ cells) => `| ${widths.map((w, i) => (cells[i] ?? '').padEnd(w)).join(' | ')} |`;
  console.log(line(head));
  console.log(`|${widths.map((w) => '-'.repeat(w + 2)).join('|')}|`);
  for (const row of rows) console.log(line(row));
}

/** @param {Uint8Array} a @param {Uint8Array} b samples of two pictures of the same size @returns {number} decibels */
export function psnr(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / a.length));
}
