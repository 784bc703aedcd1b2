// @ts-check
// WebP files on the ten photographs of the Kodak set: bytes at equal DSSIM against native libwebp (sharp), and bytes
// without loss. The job keeps the size, so that only the encoders differ. Both files are decoded by sharp.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { root } from '../../scripts/toolchain.mjs';
import { bytesAt, pictureOf } from './curve.mjs';
import { dssim, prepare } from './dssim.mjs';
import { printTable } from './measure.mjs';

/** @typedef {import('../../web/engine/node/index.ts').ResizeJob} ResizeJob */
/** @typedef {import('./curve.mjs').Point} Point */
/** @typedef {import('./dssim.mjs').Reference} Reference */
/** @typedef {{ name: string, file: Buffer, reference: Reference, width: number, height: number }} Photo */

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
  output: { format: 'webp', quality, lossless: quality === null, effort: 'default' },
  metadata: 'remove',
  memory: 1 << 30,
});

/** @param {Photo} photo @param {Buffer} file @returns {Promise<Point>} */
async function pointOf({ reference }, file) {
  return { bytes: file.length, distance: dssim(reference, await pictureOf(file)) };
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
  return [...lossy.map(({ bytes, distance }) => bytes / bytesAt(native, distance)), exact];
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
    const picture = await pictureOf(file);
    const { width, height } = picture;
    photos.push({ name, ratios: await ratiosOf({ name, file, reference: prepare(picture), width, height }, encode) });
  }
  const columns = [...compared.map((i) => `quality ${qualities[i]}`), 'lossless'];
  const means = columns.map((_, i) => photos.reduce((sum, { ratios }) => sum + (ratios[i] ?? 0), 0) / photos.length);
  console.log(`\nKodak set: bytes ÷ bytes of libwebp ${sharp.versions.webp} in sharp, at equal DSSIM\n`);
  printTable(
    ['', ...columns],
    [...photos, { name: 'mean', ratios: means }].map(({ name, ratios }) => [name, ...ratios.map((r) => r.toFixed(3))]),
  );
}

await contest();
