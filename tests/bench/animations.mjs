// @ts-check
// The inputs of the GIF benchmark: animations of 60 frames with 640 × 480 pixels, composed of photographs and of
// drawings. They are made once, in .tools/bench/gif. sharp writes them, as GIF (its default settings) and, for the
// photograph in motion, as lossless WebP, too, so that one input has its full colours.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/toolchain.mjs';

/** @typedef {{ name: string, file: string }} Input */
/** @typedef {(frame: number) => Promise<Buffer>} Draw RGB rows of a frame */

const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');
const folder = path.join(root, '.tools/bench/gif');
const frames = 60;
const size = { width: 640, height: 480 };
const raw = { ...size, channels: /** @type {3} */ (3) };

/** @param {number} index @param {number} width @returns {Promise<Buffer>} a photograph at that width, as PNG */
function photograph(index, width) {
  const photos = path.join(shared, 'photos');
  const names = fs.readdirSync(photos).filter((name) => /\.jpe?g$/i.test(name));
  const name = names.sort()[index];
  if (name === undefined) throw new Error(`no photograph ${index} in ${photos}`);
  return sharp(path.join(photos, name)).rotate().resize(width).png({ compressionLevel: 1 }).toBuffer();
}

/** @returns {Promise<Draw>} a camera that pans slowly over a landscape */
async function pan() {
  const picture = await photograph(7, 900);
  const area = (/** @type {number} */ frame) => ({ ...size, left: 20 + 2 * frame, top: 20 + Math.trunc(frame / 3) });
  return (frame) => sharp(picture).extract(area(frame)).removeAlpha().raw().toBuffer();
}

/** @returns {Promise<Draw>} a still photograph in front of which a smaller one moves */
async function movingPart() {
  const ground = await sharp(await photograph(5, 1000))
    .extract({ ...size, left: 60, top: 60 })
    .png()
    .toBuffer();
  const input = await sharp(await photograph(6, 400))
    .extract({ left: 100, top: 60, width: 140, height: 110 })
    .toBuffer();
  const place = (/** @type {number} */ frame) => ({
    left: 60 + 6 * frame,
    top: Math.round(180 + 90 * Math.sin(frame / 8)),
  });
  return (frame) =>
    sharp(ground)
      .composite([{ input, ...place(frame) }])
      .removeAlpha()
      .raw()
      .toBuffer();
}

/** @param {number} frame @returns {string} a window with text that is typed, a list, and a pointer that moves */
function screen(frame) {
  const words = 'Frames of a screen recording have few colours and sharp edges, which nothing may blur.'.split(' ');
  const lines = [0, 1, 2, 3, 4, 5].map((line) => {
    const typed = words
      .slice(0, Math.max(0, Math.trunc(frame / 2) - line * 5))
      .slice(0, 5)
      .join(' ');
    return `<text x="200" y="${150 + 40 * line}">${typed}</text>`;
  });
  const list = [0, 1, 2, 3, 4].map((row) => {
    const isChosen = Math.trunc(frame / 12) === row;
    return `<rect x="20" y="${110 + 50 * row}" width="140" height="40" rx="8" fill="${isChosen ? '#2563eb' : '#e5e7eb'}"/>
      <circle cx="42" cy="${130 + 50 * row}" r="10" fill="${['#f97316', '#22c55e', '#eab308', '#ec4899', '#14b8a6'][row]}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" font-family="sans-serif" font-size="20">
    <rect width="640" height="480" fill="#f8fafc"/><rect width="640" height="60" fill="#1e293b"/>
    <text x="20" y="38" fill="#fff" font-size="24">Recording</text><rect x="180" y="100" width="430" height="300" rx="12"
    fill="#fff" stroke="#cbd5e1" stroke-width="2"/>${list.join('')}<g fill="#0f172a">${lines.join('')}</g>
    <rect x="20" y="430" width="600" height="20" rx="10" fill="#cbd5e1"/><rect x="20" y="430" width="${10 * frame + 10}"
    height="20" rx="10" fill="#16a34a"/><path transform="translate(${100 + 5 * frame} ${420 - 4 * frame})"
    d="M0 0 L0 20 L5 15 L9 23 L12 21 L8 14 L15 14 Z" fill="#000" stroke="#fff"/></svg>`;
}

/** @param {number} frame @returns {string} light that moves over a ground of two colours */
function gradient(frame) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><defs>
    <linearGradient id="a" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#0b1d51"/><stop offset="1" stop-color="#d97757"/>
    </linearGradient><radialGradient id="b" gradientUnits="userSpaceOnUse" cx="${120 + 7 * frame}" cy="${200 + frame}"
    r="260"><stop stop-color="#fff7d6" stop-opacity=".9"/><stop offset="1" stop-color="#fff7d6" stop-opacity="0"/>
    </radialGradient></defs><rect width="640" height="480" fill="url(#a)"/><rect width="640" height="480"
    fill="url(#b)"/></svg>`;
}

/** @param {(frame: number) => string} svg @returns {Draw} */
const drawing = (svg) => (frame) =>
  sharp(Buffer.from(svg(frame)))
    .removeAlpha()
    .raw()
    .toBuffer();

/** @param {string} name @param {Draw} draw @returns {Promise<Input>} */
async function make(name, draw) {
  const file = path.join(folder, name);
  if (fs.existsSync(file)) return { name, file };
  console.log(`making ${name} …`);
  const rows = [];
  for (let frame = 0; frame < frames; frame++) rows.push(await draw(frame));
  const strip = { ...raw, height: size.height * frames, pageHeight: size.height };
  const image = sharp(Buffer.concat(rows), { raw: strip, limitInputPixels: false });
  const delay = new Array(frames).fill(50);
  fs.mkdirSync(folder, { recursive: true });
  const written = name.endsWith('.webp') ? image.webp({ lossless: true, effort: 1, delay }) : image.gif({ delay });
  await written.toFile(file);
  return { name, file };
}

/** @returns {Promise<Input[]>} the animations, and those of the corpus that are large enough */
export async function animations() {
  const photograph = await pan();
  const made = [
    await make('pan.gif', photograph),
    await make('pan.webp', photograph),
    await make('moving-part.gif', await movingPart()),
    await make('screen.gif', drawing(screen)),
    await make('gradient.gif', drawing(gradient)),
  ];
  const corpus = ['image-gif/sample_big.gif', 'wuffs/gifplayer-muybridge.gif'];
  const real = corpus.map((name) => ({ name: path.basename(name), file: path.join(shared, 'corpus/gif', name) }));
  return [...made, ...real];
}
