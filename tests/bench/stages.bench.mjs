// @ts-check
// The time of each stage of one job: the core's wasm in Node runs whole jobs and parts of jobs, and the differences are
// the stages. Measured in processor time, which other load disturbs less than wall-clock time. djpeg, native
// libjpeg-turbo, decodes the same file in turn, with the same arithmetic; its time includes its start.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { runInCore } from '../golden/core.mjs';
import { mosaics } from './material.mjs';
import { printTable, range, summarise } from './measure.mjs';

/** @typedef {import('../../web/engine/core/core.js').ResizeJob} ResizeJob */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ from: Uint8Array, crop: Size & { y?: number }, target: Size, format?: 'jpeg' | 'bmp', light?: 'linear' | 'encoded' }} Part */

const rounds = Number(process.env['ROUNDS'] ?? 9);
const warmRounds = 3;
const large = { width: 6000, height: 4000 };
const small = { width: 1920, height: 1280 };
const lastRow = { width: large.width, height: 1 };

/** @param {Part} part @returns {{ milliseconds: number, bytes: Uint8Array }} */
function timed({ from, crop, target, format = 'jpeg', light = 'linear' }) {
  const job = /** @satisfies {ResizeJob} */ ({
    parts: [{ frame: 0, crop: { x: 0, y: 0, ...crop }, target, canvas: null }],
    kernel: 'lanczos3',
    light,
    output: { format, quality: 85, background: [255, 255, 255] },
    memory: 1 << 30,
  });
  const before = process.cpuUsage();
  const { bytes } = runInCore(sourceOf(from), job);
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: (user + system) / 1000, bytes };
}

/** @param {string} file @returns {number} milliseconds of processor time; NaN if there is no djpeg */
function djpegTime(file) {
  const command = 'TIMEFORMAT="%U %S"; time djpeg -dct int -outfile /dev/null "$1"';
  const { status, stderr } = spawnSync('bash', ['-c', command, 'djpeg', file], { encoding: 'utf8' });
  const [user = Number.NaN, system = Number.NaN] = status === 0 ? stderr.trim().split(' ').map(Number) : [];
  return 1000 * (user + system);
}

async function main() {
  const files = await mosaics();
  const jpeg = fs.readFileSync(files.jpeg);
  const png = fs.readFileSync(files.png);
  const bmp = fs.readFileSync(files.bmp);
  const whole = { crop: large, target: small };
  const shrunk = timed({ from: bmp, ...whole, format: 'bmp' }).bytes;
  /** @type {Record<string, Part>} */
  const parts = {
    'JPEG → 1920 px JPEG': { from: jpeg, ...whole },
    'the same in encoded light': { from: jpeg, ...whole, light: 'encoded' },
    // The rows before the last one are decoded and left out.
    'JPEG decoder': { from: jpeg, crop: { ...lastRow, y: large.height - 1 }, target: lastRow, format: 'bmp' },
    'JPEG encoder': { from: shrunk, crop: small, target: small },
    'PNG → 1920 px JPEG': { from: png, ...whole },
    'BMP → 1920 px JPEG': { from: bmp, ...whole },
    // A crop at its own size is only copied; its last row requires reading all others.
    'BMP reader and rows, without resampling': {
      from: bmp,
      crop: { width: 1920, height: 4000 },
      target: { width: 1920, height: 4000 },
      format: 'bmp',
    },
  };
  const entries = Object.entries(parts).map(([name, part]) => ({ name, part, times: /** @type {number[]} */ ([]) }));
  const native = [];
  for (let round = 0; round < warmRounds + rounds; round++) {
    native.push(djpegTime(files.jpeg));
    for (const { part, times } of entries) {
      const { milliseconds } = timed(part);
      if (round >= warmRounds) times.push(milliseconds);
    }
  }
  const median = (/** @type {string} */ name) =>
    summarise(entries.find((entry) => entry.name === name)?.times ?? []).median;
  const all = median('JPEG → 1920 px JPEG');
  const decode = median('JPEG decoder');
  const encode = median('JPEG encoder');
  const share = (/** @type {number} */ time) => [`${time.toFixed(0)}`, `${((100 * time) / all).toFixed(0)} %`];
  printTable(
    ['measured', 'ms'],
    entries.map(({ name, times }) => [name, range(summarise(times))]),
  );
  const least = Math.min(...(entries.find(({ name }) => name === 'JPEG decoder')?.times ?? []));
  const ratio = least / Math.min(...native);
  const bar = Number.isNaN(ratio) ? 'there is no djpeg' : `${ratio.toFixed(2)}, ${ratio <= 1.75 ? 'met' : 'MISSED'}`;
  console.log(`\nJPEG decoder, least time: at most 1.75 × djpeg (${range(summarise(native))} ms): ${bar}`);
  console.log('\nJPEG → 1920 px JPEG, by differences:\n');
  printTable(
    ['stage', 'ms', 'share'],
    [
      ['decode', ...share(decode)],
      ['to light, resample, to samples', ...share(all - decode - encode)],
      ['encode', ...share(encode)],
      ['whole', ...share(all)],
    ],
  );
}

await main();
