// @ts-check
// Resizes pictures to 1920 pixels, and a JPEG to 320, from file to file: this project in a worker in Chromium against others, and against
// native sharp on one core, where the core of this project also runs alone. Every round runs all contenders one after
// another, so that other load on the machine affects all of them.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { root } from '../../scripts/toolchain.mjs';
import { openPage, startCore, startSharp } from './contest.mjs';
import { modernMosaics, mosaics } from './material.mjs';
import { printTable, psnr, range, summarise } from './measure.mjs';
import { processorTime } from './processor.mjs';

/** @typedef {import('./contest.mjs').Target} Target */
/**
 * One table, and the largest allowed ratio of this project's time to that of another contender.
 * @typedef {object} Contest
 * @property {string} file
 * @property {Target['type']} type
 * @property {string[]} contenders
 * @property {Record<string, number>} bars
 * @property {number} [twoThreads] the largest ratio of two threads to sharp, on the clock
 * @property {number} [width]
 */
/** @typedef {{ name: string, times: number[], processor: number[], bytes: Buffer }} Result */
/**
 * @typedef {object} Places
 * @property {Awaited<ReturnType<typeof openPage>>} page
 * @property {ReturnType<typeof startSharp>} native
 * @property {ReturnType<typeof startCore>} core
 * @property {number} index of the file in the page's input
 * @property {string} file
 * @property {{ width: number, height: number }} size
 */

/** The contender that is the wasm in Node, with the file from the disk. */
const alone = 'ours, core alone';
const fastAlone = 'ours, fast, core alone';
const allContenders = [
  'sharp',
  'ours',
  alone,
  'ours, two threads',
  'ours, encoded light',
  'canvas',
  'wasm-vips',
  'pica',
  '@jsquash',
];
const warmRounds = 2;
const rounds = Number(process.env['ROUNDS'] ?? 7);
const quality = 85;

/** @param {string} file @returns {Contest[]} */
function contestsFor(file) {
  const contest = contestFor(file);
  if (contest.type !== 'image/jpeg' || !/\.jpe?g$/i.test(file)) return [contest];
  const contenders = ['sharp', 'ours', alone, 'ours, fast', fastAlone, 'canvas'];
  return [contest, { file, type: contest.type, contenders, bars: { sharp: 1.5 }, width: 320 }];
}

/** @param {string} file @returns {Contest} */
function contestFor(file) {
  switch (path.extname(file).toLowerCase()) {
    case '.png':
      return { file, type: 'image/png', contenders: allContenders, bars: { sharp: 1.2 } };
    // Only browsers read BMP: sharp, wasm-vips and @jsquash have no decoder.
    case '.bmp':
      return { file, type: 'image/jpeg', contenders: ['ours', 'canvas', 'pica'], bars: { canvas: 1 } };
    // Browsers do not read TIFF; @jsquash reads it through UTIF.
    case '.tif': {
      const bars = { sharp: file.includes('lzw') ? 1.3 : 2, '@jsquash': 1 / 3 };
      return { file, type: 'image/jpeg', contenders: ['sharp', 'ours', alone, 'wasm-vips', '@jsquash'], bars };
    }
    case '.avif': {
      const bars = { '@jsquash': 0.35 };
      return { file, type: 'image/jpeg', contenders: ['@jsquash', 'ours', 'canvas'], bars };
    }
    // Of browsers, only Safari reads JPEG XL.
    case '.jxl':
      return { file, type: 'image/jpeg', contenders: ['@jsquash', 'ours'], bars: { '@jsquash': 0.3 } };
    default:
      return {
        file,
        type: 'image/jpeg',
        contenders: allContenders,
        bars: { sharp: file.includes('progressive') ? 1.3 : 1.5, '@jsquash': 1 / 3.5 },
        twoThreads: 1.1,
      };
  }
}

/** @param {string} file @returns {Promise<{ width: number, height: number }>} */
async function sizeOf(file) {
  // sharp does not read JPEG XL, whose header is read by the engine.
  if (path.extname(file).toLowerCase() === '.jxl') return sizeOfOurs(file);
  // sharp does not read BMP: width and height are at offsets 18 and 22; the height is negative if the rows are
  // top-down.
  if (path.extname(file).toLowerCase() !== '.bmp') return sharp(file).metadata();
  const head = (await fs.promises.readFile(file)).subarray(0, 26);
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

/** @param {string} file @returns {Promise<{ width: number, height: number }>} */
async function sizeOfOurs(file) {
  /** @type {typeof import('../../web/engine/node/index.ts')} */
  const engine = await import(pathToFileURL(path.join(root, 'dist/engine/node.js')).href);
  const info = engine.probe(fs.readFileSync(file));
  if (engine.isFailed(info)) throw new Error(JSON.stringify(info.failure));
  return info;
}

/**
 * Runs one contender once.
 * @param {string} name
 * @param {Places} places
 * @param {Target} target
 * @returns {Promise<{ milliseconds: number, processor: number, bytes: () => Promise<Buffer> }>}
 */
async function turn(name, { page, native, core, index, file, size }, target) {
  if (name === 'sharp' || name === alone || name === fastAlone) {
    const decoding = name === fastAlone ? 'fast' : 'exact';
    const { bytes, ...times } = await (name === 'sharp' ? native : core).resize(file, target, { size, decoding });
    return { ...times, bytes: () => Promise.resolve(bytes) };
  }
  const before = processorTime(native.pid);
  const milliseconds = await page.timed(name, index, target);
  return { milliseconds, processor: processorTime(native.pid) - before, bytes: page.result };
}

/**
 * @param {string[]} contenders
 * @param {Places} places
 * @param {Target} target
 * @returns {Promise<Result[]>}
 */
async function compete(contenders, places, target) {
  /** @type {Result[]} */
  const results = contenders.map((name) => ({ name, times: [], processor: [], bytes: Buffer.alloc(0) }));
  for (let round = 0; round < warmRounds + rounds; round++) {
    for (const result of results) {
      const { milliseconds, processor, bytes } = await turn(result.name, places, target);
      if (round === 0) result.bytes = await bytes();
      if (round < warmRounds) continue;
      result.times.push(milliseconds);
      result.processor.push(processor);
    }
  }
  return results;
}

/** @param {Buffer} file @returns {Promise<Buffer>} RGB samples */
const samples = (file) => sharp(file).removeAlpha().toColourspace('srgb').raw().toBuffer();

/**
 * Makes the reference results, exact to 8 bits: PNGs by this project, which crates/resample/tests compares with an f64
 * reference.
 * @param {Awaited<ReturnType<typeof openPage>>} page
 * @param {number} index
 * @param {Target} target
 */
async function references(page, index, target) {
  const exact = async (/** @type {string} */ name) => {
    await page.timed(name, index, { ...target, type: 'image/png' });
    return samples(await page.result());
  };
  return { linear: await exact('ours'), encoded: await exact('ours, encoded light') };
}

/** @param {Result[]} results @param {Awaited<ReturnType<typeof references>>} exact */
async function printResults(results, exact) {
  const median = (/** @type {number[] | undefined} */ times) => summarise(times ?? []).median;
  const base = { time: median(results[0]?.times), processor: median(results[0]?.processor) };
  const rows = results.map(async ({ name, times, processor, bytes }) => {
    const pixels = await samples(bytes);
    const both = { linear: psnr(pixels, exact.linear), encoded: psnr(pixels, exact.encoded) };
    const light = both.linear > both.encoded ? 'linear' : 'encoded';
    const ratios = [median(times) / base.time, median(processor) / base.processor].map((ratio) => ratio.toFixed(2));
    const figures = [range(summarise(times)), median(processor).toFixed(0), String(bytes.length)];
    return [name, ...ratios, ...figures, `${both[light].toFixed(1)} (${light})`];
  });
  const first = results[0]?.name;
  const head = ['', `× ${first}`, `processor × ${first}`, 'ms', 'processor ms', 'bytes', 'PSNR, dB'];
  printTable(head, await Promise.all(rows));
}

/** @param {Result[]} results @param {Contest} contest */
function printBars(results, { bars, twoThreads }) {
  const medianOf = (/** @type {'times' | 'processor'} */ kind, /** @type {string} */ name) =>
    summarise(results.find((result) => result.name === name)?.[kind] ?? []).median;
  console.log('');
  const own = results.map(({ name }) => name).filter((name) => name === 'ours' || name === alone);
  for (const [other, most] of Object.entries(bars)) {
    for (const name of own) {
      for (const kind of /** @type {const} */ (['times', 'processor'])) {
        const ratio = medianOf(kind, name) / medianOf(kind, other);
        const how = kind === 'times' ? 'on the clock' : 'in processor time';
        printBar(`${name}: at most ${most.toFixed(2)} × ${other}, ${how}`, ratio, most);
      }
    }
  }
  if (twoThreads !== undefined) {
    const ratio = medianOf('times', 'ours, two threads') / medianOf('times', 'sharp');
    printBar(`ours, two threads: at most ${twoThreads.toFixed(2)} × sharp, on the clock`, ratio, twoThreads);
  }
}

/** @param {string} name @param {number} ratio @param {number} most */
function printBar(name, ratio, most) {
  console.log(`${name}: ${ratio.toFixed(2)}, ${ratio <= most ? 'met' : 'MISSED'}`);
}

/** Checks that native sharp decodes every pixel: it must then take longer than with shrink-on-load. */
async function checkEveryPixel(/** @type {ReturnType<typeof startSharp>} */ native, /** @type {string} */ file) {
  const target = { width: 1920, height: 1280, type: /** @type {const} */ ('image/jpeg'), quality };
  const least = async (/** @type {boolean} */ everyPixel) => {
    const times = [];
    for (let i = 0; i < 4; i++) times.push((await native.resize(file, target, { everyPixel })).milliseconds);
    return Math.min(...times);
  };
  const [every, fewer] = [await least(true), await least(false)];
  console.log(`sharp, every pixel: ${every.toFixed(0)} ms; where it may shrink on load: ${fewer.toFixed(0)} ms`);
}

/** @param {string[]} files */
async function main(files) {
  const given =
    files.length > 0
      ? files.map((file) => path.resolve(file))
      : [...Object.values(await mosaics()), ...(await modernMosaics())];
  const contests = given.flatMap((file, index) => contestsFor(file).map((contest) => ({ ...contest, index })));
  const page = await openPage('chromium', given);
  const native = startSharp();
  const core = startCore();
  try {
    for (const { index, width = 1920, ...contest } of contests) {
      const size = await sizeOf(contest.file);
      const target = { width, height: Math.round((size.height * width) / size.width), type: contest.type, quality };
      console.log(`\n${path.basename(contest.file)}, ${size.width} × ${size.height} → ${width} px ${contest.type}\n`);
      if (contest.type === 'image/jpeg' && contest.contenders.includes('sharp')) {
        await checkEveryPixel(native, contest.file);
      }
      const results = await compete(
        contest.contenders,
        { page, native, core, index, file: contest.file, size },
        target,
      );
      await printResults(results, await references(page, index, target));
      printBars(results, contest);
    }
  } finally {
    native.close();
    core.close();
    await page.close();
  }
}

await main(process.argv.slice(2));
process.exit(); // the browser would keep this process
