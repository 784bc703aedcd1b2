// @ts-check
// The inputs of the GIF benchmark: animations of 60 frames with 640 × 480 pixels, composed of photographs and of
// drawings. They are made once, in .tools/bench/gif. sharp writes them, as GIF (its default settings) and, for the
// photograph in motion, as lossless WebP, too, so that one input has its full colours.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/toolchain.mjs';

/** @typedef {{ name: string, file: string }} Input */
/** @typedef {(frame: number) => Promise<Buffer>} Draw RGB or RGBA rows of a frame */

const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');
const folder = path.join(root, '.tools/bench/gif');
const frames = 60;
const size = { width: 640, height: 480 };

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

/** @param {number} frame @returns {string} a cartoon: flat colours with outlines, clouds that drift, a ball that jumps */
function cartoon(frame) {
  const clouds = [0, 1, 2].map((cloud) => {
    const x = ((260 * cloud + 3 * frame) % 760) - 60;
    return `<path transform="translate(${x} ${60 + 30 * cloud})" d="M0 40 a25 25 0 0 1 30-30 a30 30 0 0 1 55 5 a22 22 0 0 1
      15 25 z" fill="#fff"/>`;
  });
  const height = 330 - Math.abs(Math.sin(frame / 6)) * 200;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" stroke="#1c1917" stroke-width="3">
    <rect width="640" height="480" fill="#7dd3fc" stroke="none"/><circle cx="540" cy="90" r="50" fill="#fde047"/>
    ${clouds.join('')}<path d="M-9 360 q160 -70 330 0 t330 -10 v140 h-660 z" fill="#4ade80"/><rect x="60" y="250"
    width="110" height="130" fill="#fdba74"/><path d="M45 255 l70 -70 l70 70 z" fill="#dc2626"/><g
    transform="translate(${250 + 4 * frame} ${height}) rotate(${12 * frame})"><circle r="34" fill="#f472b6"/>
    <path d="M-34 0 h68 M0 -34 v68" /></g></svg>`;
}

/** @param {number} frame @returns {string} a sticker with nothing behind it, which turns and changes its size */
function sticker(frame) {
  const scale = 1 + 0.15 * Math.sin(frame / 5);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><defs><radialGradient id="a"><stop
    stop-color="#fef08a"/><stop offset="1" stop-color="#f59e0b"/></radialGradient></defs><g transform="translate(320
    240) rotate(${6 * frame}) scale(${scale})"><path d="M0 -190 L45 -60 L180 -60 L72 22 L112 155 L0 76 L-112 155 L-72 22
    L-180 -60 L-45 -60 Z" fill="url(#a)" stroke="#fff" stroke-width="14" stroke-linejoin="round"/><circle cx="-32"
    cy="-25" r="13"/><circle cx="32" cy="-25" r="13"/><path d="M-35 25 q35 40 70 0" fill="none" stroke="#000"
    stroke-width="8"/></g></svg>`;
}

/** @param {number} frame @returns {string} a page of text that scrolls */
function scroll(frame) {
  const lines = Array.from({ length: 60 }, (_, line) => {
    const y = 40 + 28 * line - 14 * frame;
    const fill = line % 7 === 0 ? '#1d4ed8' : '#18181b';
    return `<text x="150" y="${y}" fill="${fill}">${line}. All lines of this page move at the same time.</text>
      <rect x="40" y="${y - 18}" width="80" height="22" fill="hsl(${40 * line} 70% 60%)"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" font-family="sans-serif" font-size="18">
    <rect width="640" height="480" fill="#fafafa"/>${lines.join('')}<rect x="626" y="${20 + 5 * frame}" width="8"
    height="90" rx="4" fill="#a1a1aa"/></svg>`;
}

/** @param {(frame: number) => string} svg @returns {Draw} */
const drawing = (svg) => (frame) =>
  sharp(Buffer.from(svg(frame)))
    .removeAlpha()
    .raw()
    .toBuffer();

/** @returns {Promise<Draw>} the pan again, as a camera sees it in the dark: with noise in every pixel */
async function noisy() {
  const draw = await pan();
  return async (frame) => {
    const rows = await draw(frame);
    let state = frame + 1;
    const noisy = rows.map((value) => {
      // The generator of Park and Miller; its products fit into a double.
      state = (state * 48271) % 2147483647;
      return Math.min(255, Math.max(0, value / 2 + (state % 25) - 12));
    });
    return Buffer.from(noisy);
  };
}

/** @param {string} name @param {Draw} draw @returns {Promise<Input>} */
async function make(name, draw) {
  const file = path.join(folder, name);
  if (fs.existsSync(file)) return { name, file };
  console.log(`making ${name} …`);
  const rows = [];
  for (let frame = 0; frame < frames; frame++) rows.push(await draw(frame));
  const channels = /** @type {3 | 4} */ ((rows[0]?.length ?? 0) / (size.width * size.height));
  const strip = { width: size.width, channels, height: size.height * frames, pageHeight: size.height };
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
    await make('noise.gif', await noisy()),
    await make('cartoon.gif', drawing(cartoon)),
    await make('scroll.gif', drawing(scroll)),
    await make('sticker.gif', (frame) =>
      sharp(Buffer.from(sticker(frame)))
        .ensureAlpha()
        .raw()
        .toBuffer(),
    ),
  ];
  const corpus = ['image-gif/sample_big.gif', 'wuffs/gifplayer-muybridge.gif'];
  const real = corpus.map((name) => ({ name: path.basename(name), file: path.join(shared, 'corpus/gif', name) }));
  return [...made, ...real];
}
