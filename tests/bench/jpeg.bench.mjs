// @ts-check
// JPEG files on the ten photographs of the Kodak set: bytes at equal SSIMULACRA2 and at equal DSSIM, and time, against
// MozJPEG (`@jsquash/jpeg`, with its own settings). The job keeps the size, and both are WebAssembly in Node. Both files
// are decoded by sharp.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/toolchain.mjs';
import { bytesAt, pictureOf } from './curve.mjs';
import { dssim, prepare } from './dssim.mjs';
import { printTable } from './measure.mjs';
import { ssimulacra2 } from './ssimulacra2.mjs';

/** @typedef {import('../../web/engine/node/index.ts').ResizeJob} ResizeJob */
/** @typedef {import('../../web/domain/job.ts').Coding} Coding */
/** @typedef {{ bytes: number, distance: Record<Metric, number>, time: number }} Point */
/** @typedef {typeof metrics[number]} Metric */
/** @typedef {{ file: Buffer, bmp: Uint8Array, picture: import('./dssim.mjs').Picture }} Photo */
/** @typedef {(photo: Photo, quality: number) => Uint8Array} Encode */

const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');
const folder = path.join(shared, 'corpus/png/kodak');
const qualities = [40, 50, 60, 70, 75, 80, 85, 90, 95];
/** The qualities to compare. Their neighbours are needed to interpolate. */
const compared = [65, 72, 80, 86, 90];
const metrics = /** @type {const} */ (['SSIMULACRA2', 'DSSIM']);

/** @param {number} width @param {number} height @param {number} quality @param {Coding} coding @returns {ResizeJob} */
const job = (width, height, quality, coding) => ({
  parts: [{ frame: 0, crop: { x: 0, y: 0, width, height }, target: { width, height }, canvas: null }],
  kernel: 'lanczos3',
  light: 'auto',
  decoding: 'exact',
  output: { format: 'jpeg', quality, background: [255, 255, 255], subsampling: 'auto', coding },
  metadata: 'remove',
  memory: 1 << 30,
});

/** Returns an uncompressed file, whose decoding takes little time. @param {import('./dssim.mjs').Picture} picture */
function bmpOf({ width, height, data }) {
  const stride = (width * 3 + 3) & ~3;
  const bmp = Buffer.alloc(54 + stride * height);
  bmp.write('BM');
  bmp.writeUInt32LE(bmp.length, 2);
  bmp.writeUInt32LE(54, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(width, 18);
  bmp.writeInt32LE(-height, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) bmp[54 + y * stride + 3 * x + 2 - c] = data[3 * (y * width + x) + c] ?? 0;
    }
  }
  return bmp;
}

/** @param {Coding} coding @returns {Promise<Encode>} */
async function ownEncoder(coding) {
  /** @type {typeof import('../../web/engine/node/index.ts')} */
  const engine = await import(pathToFileURL(path.join(root, 'dist/engine/node.js')).href);
  return ({ bmp, picture: { width, height } }, quality) => {
    const result = engine.run(bmp, job(width, height, quality, coding));
    if (engine.isFailed(result)) throw new Error(JSON.stringify(result.failure));
    return result.bytes;
  };
}

/** @returns {Promise<Encode>} */
async function mozjpeg() {
  const place = path.join(root, 'node_modules/@jsquash/jpeg');
  const { default: factory } = await import(pathToFileURL(path.join(place, 'codec/enc/mozjpeg_enc.js')).href);
  const { defaultOptions } = await import(pathToFileURL(path.join(place, 'meta.js')).href);
  const codec = await factory({ wasmBinary: fs.readFileSync(path.join(place, 'codec/enc/mozjpeg_enc.wasm')) });
  return ({ picture: { width, height, data } }, quality) => {
    const rgba = new Uint8Array(width * height * 4).fill(255);
    for (let from = 0, to = 0; from < data.length; from += 3, to += 4) rgba.set(data.subarray(from, from + 3), to);
    return codec.encode(rgba, width, height, { ...defaultOptions, quality });
  };
}

/** @param {Photo} photo @param {import('./dssim.mjs').Reference} reference @param {Encode} encode @param {number} quality */
async function pointOf(photo, reference, encode, quality) {
  const start = performance.now();
  const file = encode(photo, quality);
  const time = performance.now() - start;
  const picture = await pictureOf(file);
  const [similarity = 0] = ssimulacra2(photo.picture, [picture]);
  // 0 for equal pictures, like DSSIM.
  const distance = { SSIMULACRA2: 100 - similarity, DSSIM: dssim(reference, picture) };
  return { bytes: file.length, distance, time };
}

const sum = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b, 0);
const mean = (/** @type {number[]} */ values) => sum(values) / values.length;

/** @param {Point[]} points @param {Point[]} curve @param {Metric} metric @returns {number[]} */
function ratiosOf(points, curve, metric) {
  const known = curve.map(({ bytes, distance }) => ({ bytes, distance: distance[metric] }));
  return points.map(({ bytes, distance }) => bytes / bytesAt(known, distance[metric]));
}

async function contest() {
  if (!fs.existsSync(folder)) {
    console.error(`\n!!! SKIPPED: no ${folder}`);
    return;
  }
  const codings = /** @type {const} */ (['baseline', 'progressive', 'smallest']);
  const own = await Promise.all(codings.map(ownEncoder));
  const peer = await mozjpeg();
  /** @type {{ ratios: Record<Metric, number[]>[], speeds: number[] }[]} for each photograph and coding */
  const results = [];
  for (const name of fs.readdirSync(folder).filter((entry) => entry.endsWith('.png'))) {
    const file = fs.readFileSync(path.join(folder, name));
    const picture = await pictureOf(file);
    const photo = { file, picture, bmp: bmpOf(picture) };
    const reference = prepare(picture);
    const curve = /** @type {Point[]} */ ([]);
    for (const quality of qualities) curve.push(await pointOf(photo, reference, peer, quality));
    const ratios = [];
    const speeds = [];
    for (const encode of own) {
      const points = [];
      for (const quality of compared) points.push(await pointOf(photo, reference, encode, quality));
      ratios.push({ SSIMULACRA2: ratiosOf(points, curve, 'SSIMULACRA2'), DSSIM: ratiosOf(points, curve, 'DSSIM') });
      speeds.push(mean(curve.map(({ time }) => time)) / mean(points.map(({ time }) => time)));
    }
    results.push({ ratios, speeds });
  }
  for (const metric of metrics) {
    console.log(`\nKodak set: bytes ÷ bytes of MozJPEG at equal ${metric}, and speed ÷ speed of MozJPEG\n`);
    printTable(
      ['', ...compared.map((quality) => `quality ${quality}`), 'speed'],
      codings.map((coding, i) => [
        coding,
        ...compared.map((_, j) => mean(results.map(({ ratios }) => ratios[i]?.[metric][j] ?? 0)).toFixed(3)),
        mean(results.map(({ speeds }) => speeds[i] ?? 0)).toFixed(1),
      ]),
    );
  }
}

await contest();
