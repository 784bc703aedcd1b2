// @ts-check
// The PNG encoders alone: ten photographs of the Kodak set and ten screenshots of this site, from memory to memory, at
// the default level of each encoder. All run in this process and are measured by its processor time: this project and
// @jsquash as wasm, sharp (level 6) natively on one thread. This project runs a whole job: it reads raw rows, checks
// the header of its own file and computes its checksum.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { serve } from '../../scripts/serve.mjs';
import { root } from '../../scripts/toolchain.mjs';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { runInCore } from '../golden/core.mjs';
import { launch } from '../lib/browsers.mjs';
import { printTable, range, summarise } from './measure.mjs';

/** @typedef {import('../../web/engine/core/core.js').ResizeJob} ResizeJob */
/** @typedef {{ width: number, height: number, rgb: Buffer, rgba: Buffer, rows: Buffer }} Picture */
/** @typedef {(picture: Picture) => Promise<number>} Encode bytes of the result */

const rounds = Number(process.env['ROUNDS'] ?? 5);
const warmRounds = 2;
const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');
const screenshots = path.join(root, '.tools/bench/screenshots');
const routes = ['/en/', '/zh-CN/', '/zh-TW/', '/privacy-policy/', '/404.html'];
const viewports = /** @type {const} */ ([
  [1440, 900],
  [2560, 1440],
]);

/** Takes the screenshots once. */
async function takeScreenshots() {
  if (fs.existsSync(screenshots)) return;
  console.log('taking screenshots …');
  const server = await serve({ root: path.join(root, 'dist/site') });
  const browser = await launch('chromium');
  fs.mkdirSync(`${screenshots}.new`, { recursive: true });
  for (const [width, height] of viewports) {
    await browser.resize(width, height);
    for (const [i, route] of routes.entries()) {
      await browser.goto(server.url + route);
      fs.writeFileSync(path.join(`${screenshots}.new`, `${width}-${i}.png`), await browser.screenshot());
    }
  }
  await browser.close();
  await server.close();
  fs.renameSync(`${screenshots}.new`, screenshots);
}

/** @param {number} width @param {number} height @returns {ResizeJob} a job that keeps the size and writes a PNG */
const job = (width, height) => ({
  parts: [{ frame: 0, crop: { x: 0, y: 0, width, height }, target: { width, height }, canvas: null }],
  kernel: 'lanczos3',
  light: 'linear',
  output: { format: 'png' },
  metadata: 'remove',
  memory: 1 << 30,
});

/** @param {string} file @returns {Promise<Picture>} */
async function load(file) {
  const image = sharp(file).removeAlpha();
  const { data: rgb, info } = await image.clone().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const rgba = await image.clone().ensureAlpha().raw().toBuffer();
  // A PPM, which takes next to no time to read.
  const header = Buffer.from(`P6 ${width} ${height} 255\n`);
  return { width, height, rgb, rgba, rows: Buffer.concat([header, rgb]) };
}

/** @returns {Promise<Record<string, Encode>>} */
async function contenders() {
  const jsquash = await import('@jsquash/png/codec/pkg/squoosh_png.js');
  const wasm = path.join(root, 'node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm');
  await jsquash.default(fs.readFileSync(wasm));
  sharp.concurrency(1);
  return {
    ours: async ({ width, height, rows }) => runInCore(sourceOf(rows), job(width, height)).bytes.length,
    '@jsquash/png': async ({ width, height, rgba }) =>
      jsquash.encode(new Uint8Array(rgba.buffer, rgba.byteOffset, rgba.length), width, height, 8).length,
    'sharp, native': async ({ width, height, rgb }) => {
      const encoded = await sharp(rgb, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 6 })
        .toBuffer();
      return encoded.length;
    },
  };
}

/** @param {Encode} encode @param {Picture[]} pictures */
async function timed(encode, pictures) {
  const before = process.cpuUsage();
  let bytes = 0;
  for (const picture of pictures) bytes += await encode(picture);
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: (user + system) / 1000, bytes };
}

/** @param {string} title @param {string} folder */
async function contest(title, folder) {
  if (!fs.existsSync(folder)) {
    console.error(`\n!!! SKIPPED: no ${folder}`);
    return;
  }
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.png'));
  const pictures = await Promise.all(files.sort().map((name) => load(path.join(folder, name))));
  const entries = Object.entries(await contenders()).map(([name, encode]) => ({
    name,
    encode,
    bytes: 0,
    times: /** @type {number[]} */ ([]),
  }));
  for (let round = 0; round < warmRounds + rounds; round++) {
    for (const entry of entries) {
      const { milliseconds, bytes } = await timed(entry.encode, pictures);
      entry.bytes = bytes;
      if (round >= warmRounds) entry.times.push(milliseconds);
    }
  }
  const least = entries.find(({ name }) => name.startsWith('sharp'))?.bytes ?? Number.NaN;
  const megapixels = pictures.reduce((sum, { width, height }) => sum + width * height, 0) / 1e6;
  console.log(`\n${title}: ${pictures.length} pictures, ${megapixels.toFixed(1)} MP\n`);
  printTable(
    ['', 'bytes', '× sharp', 'processor ms'],
    entries.map(({ name, bytes, times }) => [name, `${bytes}`, (bytes / least).toFixed(2), range(summarise(times))]),
  );
}

await takeScreenshots();
await contest('Kodak set', path.join(shared, 'corpus/png/kodak'));
await contest('Screenshots', screenshots);
process.exit(); // the browser would keep this process
