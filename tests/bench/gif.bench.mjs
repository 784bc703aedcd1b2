// @ts-check
// Animated GIFs at half their width: this core as wasm, native sharp on one thread (its defaults, and its greatest
// effort), and wasm-vips, all in this process. The tables have the processor time, the bytes, and the mean distance
// (dssim.mjs) of the frames from the f64 reference (reference.mjs) of each composited frame, in the light in which the
// contender works. sharp composes the frames of the sources and of the results.
//
// ROUNDS=3 measures the median of three runs; ANIMATIONS=pan.gif,screen.gif takes some of the inputs only, and files
// that are given as arguments replace them. RIVALS=1 leaves out all contenders but ours and sharp with its defaults.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import Vips from 'wasm-vips';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { runInCore } from '../golden/core.mjs';
import { animations } from './animations.mjs';
import { dssim, prepare } from './dssim.mjs';
import { printTable, range, summarise } from './measure.mjs';
import { resized } from './reference.mjs';

/** @typedef {import('./reference.mjs').Light} Light */
/** @typedef {{ width: number, height: number, data: Buffer }[]} Frames RGBA rows */
/** @typedef {{ name: string, light: Light, write: (task: Task) => Uint8Array | Promise<Uint8Array> }} Contender */
/** @typedef {{ file: Buffer, frames: number, from: Size, to: Size }} Task */
/** @typedef {{ width: number, height: number }} Size */

const rounds = Number(process.env['ROUNDS'] ?? 1);
const wantedNames = process.env['ANIMATIONS']?.split(',');
const mostFrames = 60;
/** The distance is measured for every third frame. */
const everyFrame = 3;
sharp.concurrency(1);
sharp.cache(false);

/** @param {Task} task @param {Light} light @returns {Uint8Array} */
function ours({ file, frames, from, to }, light) {
  const crop = { x: 0, y: 0, ...from };
  const parts = Array.from({ length: frames }, (_, frame) => ({ frame, crop, target: to, canvas: null }));
  const output = /** @type {const} */ ({ format: 'gif' });
  return runInCore(sourceOf(file), { parts, kernel: 'lanczos3', light, output, metadata: 'remove', memory: 1 << 30 })
    .bytes;
}

/** @param {Task} task @param {import('sharp').GifOptions} options @returns {Promise<Uint8Array>} */
const withSharp = ({ file, frames, to }, options) =>
  sharp(file, { pages: frames }).resize(to.width, to.height, { fit: 'fill' }).gif(options).toBuffer();

/** @returns {Promise<Contender['write']>} */
async function wasmVips() {
  const vips = await Vips({ dynamicLibraries: [] });
  vips.concurrency(1);
  vips.Cache.max(0);
  return ({ file, frames, to }) => {
    const options = { option_string: `n=${frames}`, height: to.height, size: vips.Size.force };
    const image = vips.Image.thumbnailBuffer(file, to.width, options);
    const bytes = image.writeToBuffer('.gif');
    image.delete();
    return bytes;
  };
}

/** Compiles the modules. @param {Contender[]} all @param {Buffer} file */
async function warmUp(all, file) {
  const size = { width: 64, height: 64 };
  const [first] = await framesOf(file, 1);
  for (const { write } of all) await write({ file, frames: 1, from: first ?? size, to: size });
}

/** @returns {Promise<Contender[]>} */
async function contenders() {
  /** @type {Contender[]} */
  const first = [
    { name: 'ours', light: 'linear', write: (task) => ours(task, 'linear') },
    { name: 'ours, encoded light', light: 'encoded', write: (task) => ours(task, 'encoded') },
    { name: 'sharp', light: 'encoded', write: (task) => withSharp(task, {}) },
  ];
  if (process.env['RIVALS'] === '1') return first;
  return [
    ...first,
    { name: 'sharp, effort 10', light: 'encoded', write: (task) => withSharp(task, { effort: 10 }) },
    { name: 'wasm-vips', light: 'encoded', write: await wasmVips() },
  ];
}

/** @param {Uint8Array} file @param {number} most @returns {Promise<Frames>} the first frames as seen */
async function framesOf(file, most) {
  const { pages = 1 } = await sharp(file).metadata();
  const image = sharp(file, { pages: Math.min(pages, most), limitInputPixels: false })
    .ensureAlpha()
    .raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const height = info.pageHeight ?? info.height;
  const bytes = info.width * height * 4;
  const count = data.length / bytes;
  return Array.from({ length: count }, (_, i) => ({
    width: info.width,
    height,
    data: data.subarray(i * bytes, (i + 1) * bytes),
  }));
}

/** @param {Frames[number]} frame @returns {import('./dssim.mjs').Picture} on white */
function onWhite({ width, height, data }) {
  const into = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const alpha = (data[4 * i + 3] ?? 0) / 255;
    for (let c = 0; c < 3; c++) into[3 * i + c] = Math.round((data[4 * i + c] ?? 0) * alpha + 255 * (1 - alpha));
  }
  return { width, height, data: into };
}

/** @param {Frames} frames @param {Task} task @param {Light} light */
const references = (frames, { from, to }, light) =>
  frames.map(({ data }) => prepare({ ...to, data: resized(data, from, to, light) }));

/** @param {Contender} contender @param {Task} task */
async function timed({ write }, task) {
  const times = [];
  /** @type {Uint8Array} */
  let bytes = new Uint8Array();
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    bytes = await write(task);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return { times: summarise(times), bytes };
}

/** Some of the frames, from the first to the last. @param {Frames} frames */
const sampled = (frames) => frames.filter((_, i) => i % everyFrame === 0);

/** @param {Uint8Array} file @param {import('./dssim.mjs').Reference[]} wanted @param {number} frames */
async function distance(file, wanted, frames) {
  const seen = await framesOf(file, frames);
  if (seen.length !== frames) throw new Error(`${seen.length} frames of ${frames}`);
  const distances = sampled(seen).map((frame, i) => {
    const reference = wanted[i];
    return reference === undefined ? Number.NaN : dssim(reference, onWhite(frame));
  });
  return distances.reduce((a, b) => a + b) / distances.length;
}

/** @param {Contender[]} all @param {string} name @param {Buffer} file */
async function contest(all, name, file) {
  const frames = await framesOf(file, mostFrames);
  const { width, height } = frames[0] ?? { width: 0, height: 0 };
  const to = { width: Math.round(width / 2), height: Math.round(height / 2) };
  const task = { file, frames: frames.length, from: { width, height }, to };
  const results = [];
  for (const contender of all) results.push({ ...contender, ...(await timed(contender, task)) });
  const some = sampled(frames);
  const wanted = { linear: references(some, task, 'linear'), encoded: references(some, task, 'encoded') };
  const { times: base, bytes: most } = results.find((result) => result.name === 'sharp') ?? {};
  const rows = [];
  for (const { name, light, times, bytes } of results) {
    const far = await distance(bytes, wanted[light], frames.length);
    const ratios = [times.median / (base?.median ?? 1), bytes.length / (most?.length ?? 1)].map((n) => n.toFixed(2));
    const [time = '', size = ''] = ratios;
    rows.push([name, time, range(times), size, `${bytes.length}`, `${far.toFixed(5)} (${light})`]);
  }
  console.log(`\n${name}: ${frames.length} frames, ${width} × ${height} to ${to.width} × ${to.height}\n`);
  printTable(['', 'time × sharp', 'processor ms', 'bytes × sharp', 'bytes', 'mean DSSIM'], rows);
}

const all = await contenders();
const given = process.argv.slice(2).map((file) => ({ name: path.basename(file), file }));
const inputs = given.length > 0 ? given : await animations();
const last = inputs.at(-1);
if (last !== undefined) await warmUp(all, fs.readFileSync(last.file));
for (const { name, file } of inputs.filter(({ name }) => wantedNames?.includes(name) ?? true)) {
  await contest(all, name, fs.readFileSync(file));
}
// wasm-vips keeps its threads.
process.exit();
