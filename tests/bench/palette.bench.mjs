// @ts-check
// Palette PNGs at half their size: photographs of the Kodak set, a logo with a shadow, and a diagram, all made palettes
// by sharp. Each result with a palette is compared with the same job's result in true colour. sharp (native, libimagequant
// on one thread) reduces that result. A picture with alpha is seen on white, black and grey, and the worst counts.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/toolchain.mjs';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { runInCore } from '../golden/core.mjs';
import { dssim, prepare } from './dssim.mjs';
import { printTable } from './measure.mjs';

/** @typedef {import('../../web/engine/core/core.js').ResizeJob} ResizeJob */
/** @typedef {{ bytes: Uint8Array<ArrayBuffer>, milliseconds: number }} Result */

const kodak = path.join(process.env['SHARED_DIR'] ?? path.join(root, '../shared'), 'corpus/png/kodak');
const photographs = 6;

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><defs><linearGradient id="g">
<stop stop-color="#06f"/><stop offset="1" stop-color="#0c6"/></linearGradient>
<filter id="s"><feGaussianBlur stdDeviation="14"/></filter></defs>
<ellipse cx="420" cy="420" rx="300" ry="250" filter="url(#s)" opacity=".5"/><circle cx="400" cy="390" r="270" fill="url(#g)"/>
<path d="M700 100l350 600H450z" fill="#e63946"/><circle cx="950" cy="250" r="150" fill="#fc0" opacity=".6"/></svg>`;
const bar = (/** @type {number} */ i) =>
  `<rect x="${80 + i * 120}" y="${800 - i * 60}" width="80" height="${i * 60 + 100}" fill="hsl(${i * 30},70%,50%)"/>`;
const diagram = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000" font-family="sans-serif">
<rect width="1600" height="1000" fill="#fdfdfb"/>${Array.from({ length: 12 }, (_, i) => bar(i)).join('')}
<path d="M50 900L1550 120M50 905H1550M60 920V60" stroke="#222" stroke-width="5"/>
<text x="90" y="120" font-size="54" fill="#102a43">Revenue by quarter and region</text></svg>`;

/** @returns {Promise<Record<string, Buffer>>} palette PNGs by their names */
async function sources() {
  const names = fs.existsSync(kodak) ? fs.readdirSync(kodak).filter((name) => name.endsWith('.png')) : [];
  if (names.length === 0) console.error(`\n!!! SKIPPED: no photographs in ${kodak}`);
  const files = names
    .sort()
    .slice(0, photographs)
    .map((name) => [`Kodak ${name}`, path.join(kodak, name)]);
  const drawings = [
    ['logo', Buffer.from(logo)],
    ['diagram', Buffer.from(diagram)],
  ];
  const entries = [...files, ...drawings].map(async ([name, input]) => [
    name,
    await sharp(input).png({ palette: true }).toBuffer(),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** @param {{ width: number, height: number }} size @param {'exact' | 'like-source'} palette @returns {ResizeJob} */
const half = ({ width, height }, palette) => ({
  parts: [
    {
      frame: 0,
      crop: { x: 0, y: 0, width, height },
      target: { width: width >> 1, height: height >> 1 },
      canvas: null,
    },
  ],
  kernel: 'lanczos3',
  light: 'auto',
  output: { format: 'png', palette },
  metadata: 'remove',
  memory: 1 << 30,
});

/** @param {() => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>} run @returns {Promise<Result>} the least time of three */
async function timed(run) {
  let result = { bytes: new Uint8Array(), milliseconds: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    const bytes = await run();
    const { user, system } = process.cpuUsage(before);
    result = { bytes, milliseconds: Math.min(result.milliseconds, (user + system) / 1000) };
  }
  return result;
}

/** @param {Uint8Array} png @param {string} background */
async function seen(png, background) {
  const { data, info } = await sharp(png)
    .flatten({ background })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** @param {Uint8Array} reference @param {Uint8Array} png @returns {Promise<number>} on the worst background */
async function distance(reference, png) {
  const backgrounds = ['#fff', '#000', '#888'].map(async (background) =>
    dssim(prepare(await seen(reference, background)), await seen(png, background)),
  );
  return Math.max(...(await Promise.all(backgrounds)));
}

sharp.concurrency(1);
const rows = [];
for (const [name, png] of Object.entries(await sources())) {
  const { width, height } = await sharp(png).metadata();
  const run = (/** @type {'exact' | 'like-source'} */ palette) => () =>
    runInCore(sourceOf(png), half({ width, height }, palette)).bytes;
  const exact = await timed(run('exact'));
  const { data, info } = await sharp(exact.bytes).raw().toBuffer({ resolveWithObject: true });
  const reduced = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
      .png({ palette: true })
      .toBuffer();
  const results = /** @type {[string, Result][]} */ ([
    ['true colour', exact],
    ['ours', await timed(run('like-source'))],
    ['sharp', await timed(reduced)],
  ]);
  for (const [writer, { bytes, milliseconds }] of results) {
    const apart = writer === 'true colour' ? 0 : await distance(exact.bytes, bytes);
    rows.push([name, writer, `${bytes.length}`, (apart * 1e4).toFixed(2), milliseconds.toFixed(0)]);
  }
}
printTable(['', '', 'bytes', 'DSSIM × 10⁴', 'processor ms'], rows);
