// @ts-check
// WebP files on the ten photographs of the Kodak set: bytes at equal DSSIM against native libwebp (sharp), and bytes
// without loss. The job keeps the size, so that only the encoders differ. Both files are decoded by sharp.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { root } from '../../scripts/toolchain.mjs';
import { printTable } from './measure.mjs';

/** @typedef {import('../../web/engine/node/index.ts').ResizeJob} ResizeJob */
/** @typedef {{ bytes: number, dssim: number }} Point */
/** @typedef {{ name: string, file: Buffer, luma: Float32Array, width: number, height: number }} Photo */

const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');
const folder = path.join(shared, 'corpus/png/kodak');
const qualities = [60, 70, 75, 80, 85, 90, 95];
/** The index of the qualities to compare: the neighbours are needed to interpolate. */
const compared = [1, 3, 4, 5];

/** @param {number} width @param {number} height @param {number | null} quality @returns {ResizeJob} null: lossless */
const job = (width, height, quality) => ({
  parts: [{ frame: 0, crop: { x: 0, y: 0, width, height }, target: { width, height }, canvas: null }],
  kernel: 'lanczos3',
  light: 'auto',
  output: { format: 'webp', quality, lossless: quality === null },
  metadata: 'remove',
  memory: 1 << 30,
});

/** @param {Buffer} file @returns {Promise<{ luma: Float32Array, width: number, height: number }>} */
async function lumaOf(file) {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const luma = Float32Array.from({ length: width * height }, (_, i) => {
    const [red = 0, green = 0, blue = 0] = data.subarray(i * 3, i * 3 + 3);
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  });
  return { luma, width, height };
}

/** The weights of a Gaussian window of 11 samples, sigma 1.5. */
const window = Array.from({ length: 11 }, (_, i) => Math.exp(-((i - 5) ** 2) / (2 * 1.5 ** 2)));
const windowSum = window.reduce((sum, weight) => sum + weight);

/** @param {Float32Array} plane @param {number} width @param {number} height @returns {Float32Array} */
function blurred(plane, width, height) {
  const along = (/** @type {Float32Array} */ from, /** @type {boolean} */ isRow) =>
    from.map((_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      const [position, end, step] = isRow ? [x, width, 1] : [y, height, width];
      let sum = 0;
      for (const [k, weight] of window.entries()) {
        const at = Math.min(Math.max(position + k - 5, 0), end - 1);
        sum += (from[i + (at - position) * step] ?? 0) * weight;
      }
      return sum / windowSum;
    });
  return along(along(plane, true), false);
}

/**
 * Returns (1 − SSIM) ÷ 2 of two luma planes, with the constants of Wang et al. 2004.
 * @param {Float32Array} a @param {Float32Array} b @param {number} width @param {number} height
 */
function dssim(a, b, width, height) {
  const blur = (/** @type {(i: number) => number} */ of) =>
    blurred(
      a.map((_, i) => of(i)),
      width,
      height,
    );
  const value = (/** @type {Float32Array} */ plane, /** @type {number} */ i) => plane[i] ?? 0;
  const [meanA, meanB] = [blurred(a, width, height), blurred(b, width, height)];
  const squareA = blur((i) => value(a, i) ** 2);
  const squareB = blur((i) => value(b, i) ** 2);
  const product = blur((i) => value(a, i) * value(b, i));
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const [ma, mb] = [value(meanA, i), value(meanB, i)];
    const covariance = value(product, i) - ma * mb;
    const variances = value(squareA, i) - ma ** 2 + value(squareB, i) - mb ** 2;
    sum += ((2 * ma * mb + c1) * (2 * covariance + c2)) / ((ma ** 2 + mb ** 2 + c1) * (variances + c2));
  }
  return (1 - sum / a.length) / 2;
}

/** @param {Photo} photo @param {Buffer} file @returns {Promise<Point>} */
async function pointOf({ luma, width, height }, file) {
  return { bytes: file.length, dssim: dssim(luma, (await lumaOf(file)).luma, width, height) };
}

/**
 * Returns the bytes of a curve at a DSSIM, by linear interpolation of the logarithms.
 * @param {Point[]} curve @param {number} at
 */
function bytesAt(curve, at) {
  for (const [i, { bytes, dssim: left }] of curve.entries()) {
    const next = curve[i + 1];
    if (next === undefined || at > left || at < next.dssim) continue;
    const share = Math.log(at / left) / Math.log(next.dssim / left);
    return Math.exp(Math.log(bytes) + share * Math.log(next.bytes / bytes));
  }
  return Number.NaN;
}

/** @typedef {(photo: Photo, quality: number | null) => Promise<Buffer>} Encode null: lossless */

/** @returns {Promise<Encode>} */
async function ownEncoder() {
  /** @type {typeof import('../../web/engine/node/index.ts')} */
  const engine = await import(pathToFileURL(path.join(root, 'dist/engine/node.js')).href);
  return ({ file, width, height }, quality) => {
    const result = engine.run(file, job(width, height, quality));
    if (engine.isFailed(result)) throw new Error(JSON.stringify(result.failure));
    return Promise.resolve(Buffer.from(result.bytes));
  };
}

/** @type {Encode} */
const libwebp = ({ file }, quality) =>
  sharp(file)
    .webp(quality === null ? { lossless: true, effort: 4 } : { quality, effort: 4 })
    .toBuffer();

/**
 * Returns the ratios of the bytes at each compared quality, and without loss.
 * @param {Photo} photo @param {Encode} encode
 */
async function ratiosOf(photo, encode) {
  const [own, native] = [/** @type {Point[]} */ ([]), /** @type {Point[]} */ ([])];
  for (const quality of qualities) {
    own.push(await pointOf(photo, await encode(photo, quality)));
    native.push(await pointOf(photo, await libwebp(photo, quality)));
  }
  const lossy = own.filter((_, i) => compared.includes(i));
  const exact = (await encode(photo, null)).length / (await libwebp(photo, null)).length;
  return [...lossy.map(({ bytes, dssim: distance }) => bytes / bytesAt(native, distance)), exact];
}

async function contest() {
  if (!fs.existsSync(folder)) {
    console.error(`\n!!! SKIPPED: no ${folder}`);
    return;
  }
  sharp.concurrency(1);
  const encode = await ownEncoder();
  /** @type {{ name: string, ratios: number[] }[]} */
  const photos = [];
  for (const name of fs.readdirSync(folder).filter((entry) => entry.endsWith('.png'))) {
    const file = fs.readFileSync(path.join(folder, name));
    photos.push({ name, ratios: await ratiosOf({ name, file, ...(await lumaOf(file)) }, encode) });
  }
  const columns = [...compared.map((i) => `quality ${qualities[i]}`), 'lossless'];
  const means = columns.map((_, i) => photos.reduce((sum, { ratios }) => sum + (ratios[i] ?? 0), 0) / photos.length);
  console.log(`\nKodak set: bytes ÷ bytes of libwebp ${sharp.versions.webp} in sharp, at equal DSSIM of luma\n`);
  printTable(
    ['', ...columns],
    [...photos, { name: 'mean', ratios: means }].map(({ name, ratios }) => [name, ...ratios.map((r) => r.toFixed(3))]),
  );
}

await contest();
