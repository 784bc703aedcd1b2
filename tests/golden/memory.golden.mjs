// @ts-check
// Resizes a hundred megapixels of each kind to 1920 pixels in WebAssembly: the module's memory must stay within 64 MiB.
// Three kinds of JPEG have 48 MiB. With SIDE=30000 it is 900 megapixels to 3000 pixels within 128 MiB. With FRAMES=1000 it is instead a GIF of so many
// frames, 1000 × 1000 to 900 × 900 pixels, within 64 MiB. The pictures are computed while they are read, or exist only
// in compressed form.
import { once } from 'node:events';
import zlib from 'node:zlib';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { longGif, longGifJob } from './animation.mjs';
import { runInCore } from './core.mjs';
import { largeJpeg, largeJpegInScans } from './large-jpeg.mjs';

/** @typedef {import('../../web/engine/core/core.js').Source} Source */
/** @typedef {import('../../web/engine/core/core.js').Format} Format */

const side = Number(process.env['SIDE'] ?? 0);
const [WIDTH, HEIGHT] = side > 0 ? [side, side] : [12_500, 8_000];
const [TARGET, LIMIT_MIB] = side > 0 ? [3000, 128] : [1920, 64];
const LIMIT = LIMIT_MIB * 1024 * 1024;
const JPEG_LIMIT_MIB = side > 0 ? LIMIT_MIB : 48;
const ROW_BYTES = WIDTH * 3;
const TILE = 256;

/** A gradient with noise, repeated: the samples of every file. */
const slope = Uint8Array.from({ length: 1 << 16 }, (_, i) => (i >> 9) + ((i * 2_654_435_761) >>> 29));

/**
 * Makes a file with a given header and computed samples.
 * @param {Buffer} header
 * @param {number} byteLength
 * @returns {Source}
 */
function computed(header, byteLength) {
  return {
    byteLen: () => byteLength,
    readAt(offset, into) {
      let at = 0;
      for (; at < into.length && offset + at < header.length; at += 1) into[at] = header[offset + at] ?? 0;
      while (at < into.length) {
        const from = (offset + at - header.length) & 0xffff;
        const part = slope.subarray(from, from + into.length - at);
        into.set(part, at);
        at += part.length;
      }
      return into.length;
    },
  };
}

/** Makes a BMP with 24 bits per pixel, bottom-up. */
function bmp() {
  const stride = Math.ceil(ROW_BYTES / 4) * 4;
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE((54 + stride * HEIGHT) % 2 ** 32, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(WIDTH, 18);
  header.writeInt32LE(HEIGHT, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return computed(header, 54 + stride * HEIGHT);
}

/**
 * Makes the head of an RGB TIFF (TIFF 6.0 §2): its directory and its tables of offsets and lengths. The samples follow.
 * @param {number} compression
 * @param {number[]} lengths the number of bytes of each strip or tile
 * @param {boolean} tiled
 */
function tiffHead(compression, lengths, tiled) {
  const rows = tiled ? [[322, TILE], [323, TILE]] : [[278, Math.ceil(HEIGHT / lengths.length)]];
  const [offsetTag, lengthTag] = tiled ? [324, 325] : [273, 279];
  const entries = 8 + rows.length + 2;
  const bitsAt = 8 + 2 + 12 * entries + 4;
  const offsetsAt = bitsAt + 6;
  const lengthsAt = offsetsAt + 4 * lengths.length;
  const dataAt = lengthsAt + 4 * lengths.length;
  const head = Buffer.alloc(dataAt);
  head.write('II*\0');
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(entries, 8);
  const long = 4;
  const short = 3;
  const table = (/** @type {number} */ at) => (lengths.length === 1 ? head.readUInt32LE(at) : at);
  let offset = dataAt;
  for (const [i, length] of lengths.entries()) {
    head.writeUInt32LE(offset, offsetsAt + 4 * i);
    head.writeUInt32LE(length, lengthsAt + 4 * i);
    offset += length;
  }
  for (let i = 0; i < 3; i += 1) head.writeUInt16LE(8, bitsAt + 2 * i);
  const fields = [
    [256, long, 1, WIDTH],
    [257, long, 1, HEIGHT],
    [258, short, 3, bitsAt],
    [259, short, 1, compression],
    [262, short, 1, 2],
    [277, short, 1, 3],
    [284, short, 1, 1],
    [339, short, 1, 1],
    ...rows.map(([tag = 0, value = 0]) => [tag, long, 1, value]),
    [offsetTag, long, lengths.length, table(offsetsAt)],
    [lengthTag, long, lengths.length, table(lengthsAt)],
  ].sort(([a = 0], [b = 0]) => a - b);
  for (const [i, [tag = 0, type = 0, count = 0, value = 0]] of fields.entries()) {
    const at = 10 + 12 * i;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(value, at + 8);
  }
  return { head, end: offset };
}

/** Makes an uncompressed TIFF with 16 rows per strip. */
function tiffStrips() {
  const strips = Math.ceil(HEIGHT / 16);
  const lengths = Array.from({ length: strips }, (_, i) => ROW_BYTES * Math.min(16, HEIGHT - 16 * i));
  const { head, end } = tiffHead(1, lengths, false);
  return computed(head, end);
}

/** Makes an uncompressed TIFF with tiles of 256 × 256 pixels. */
function tiffTiles() {
  const tiles = Math.ceil(WIDTH / TILE) * Math.ceil(HEIGHT / TILE);
  const { head, end } = tiffHead(1, new Array(tiles).fill(TILE * TILE * 3), true);
  return computed(head, end);
}

/**
 * Compresses rows with Deflate.
 * @param {Iterable<Uint8Array>} rows
 */
async function deflated(rows) {
  const deflate = zlib.createDeflate({ level: 1 });
  /** @type {Buffer[]} */
  const chunks = [];
  deflate.on('data', (chunk) => chunks.push(chunk));
  for (const row of rows) {
    if (!deflate.write(row)) await once(deflate, 'drain');
  }
  deflate.end();
  await once(deflate, 'end');
  return Buffer.concat(chunks);
}

/**
 * Yields rows of a given length. @param {number} count @param {number} bytes @param {number} lead zeros before each row
 */
function* rowsOf(count, bytes, lead = 0) {
  const row = Buffer.alloc(lead + bytes);
  for (let y = 0; y < count; y += 1) {
    for (let at = lead; at < row.length; ) {
      const part = slope.subarray((y * bytes + at) & 0xffff).subarray(0, row.length - at);
      row.set(part, at);
      at += part.length;
    }
    yield row;
  }
}

/** Makes a TIFF with the whole picture in one Deflate strip. */
async function tiffStrip() {
  const data = await deflated(rowsOf(HEIGHT, ROW_BYTES));
  return sourceOf(Buffer.concat([tiffHead(8, [data.length], false).head, data]));
}

/** Makes an interlaced PNG: seven passes (PNG §8.2), each row after its filter byte, which is 0. */
async function adam7() {
  const passes = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
  function* rows() {
    for (const [x = 0, y = 0, dx = 1, dy = 1] of passes) {
      yield* rowsOf(Math.ceil((HEIGHT - y) / dy), 3 * Math.ceil((WIDTH - x) / dx), 1);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 1], 8);
  const chunk = (/** @type {string} */ type, /** @type {Buffer} */ data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(zlib.crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return sourceOf(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', await deflated(rows())), chunk('IEND', Buffer.alloc(0))]),
  );
}

/**
 * @param {Format} format
 * @param {number} width
 * @returns {import('../../web/engine/core/core.js').ResizeJob}
 */
function to(format, width) {
  const target = { width, height: Math.round((width * HEIGHT) / WIDTH) };
  const crop = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
  const output = /** @type {import('../../web/engine/core/core.js').EncodingValue} */ ({ format, quality: null });
  return { parts: [{ frame: 0, crop, target, canvas: null }], kernel: 'lanczos3', light: 'auto', output, memory: LIMIT };
}

/**
 * Runs a job and prints the module's memory. It never shrinks, so the figure is the maximum of all jobs so far.
 * @param {string} name
 * @param {Source} file
 * @param {import('../../web/engine/core/core.js').ResizeJob} job
 * @param {number} limit in MiB
 */
function measure(name, file, job, limit = LIMIT_MIB) {
  const { bytes, memory, report } = runInCore(file, job);
  if (report.warnings.length > 0) throw new Error(`${name}: ${JSON.stringify(report.warnings)}`);
  const used = memory / 1048576;
  console.log(`${name}: ${used.toFixed(1)} MiB of WebAssembly memory so far, at most ${limit}`);
  if (used > limit) process.exitCode = 1;
  return bytes;
}

const frames = Number(process.env['FRAMES'] ?? 0);
if (frames > 0) {
  const steps = { count: 0, longest: 0, last: performance.now() };
  const onStep = () => {
    const now = performance.now();
    steps.count += 1;
    steps.longest = Math.max(steps.longest, now - steps.last);
    steps.last = now;
  };
  const { bytes, memory, report } = runInCore(longGif(frames), longGifJob(frames, 900), onStep);
  console.log(`GIF of ${report.frames} frames to ${bytes.length} bytes: ${(memory / 1048576).toFixed(1)} MiB`);
  console.log(`${steps.count} steps, the longest ${steps.longest.toFixed(0)} ms: a job can end after each`);
  process.exit(memory > LIMIT ? 1 : 0);
}

const megapixels = Math.round((WIDTH * HEIGHT) / 1e6);
console.log(`${WIDTH} × ${HEIGHT} pixels, ${megapixels} MP, to ${TARGET}:`);
// The memory never shrinks, so the kinds with the lowest limit come first.
/** @type {[string, () => Source][]} */
const jpegs = [
  ['JPEG, baseline', () => largeJpeg(WIDTH, HEIGHT, 'baseline')],
  ['JPEG, progressive', () => largeJpeg(WIDTH, HEIGHT, 'progressive')],
  ['JPEG, a scan for each component', () => largeJpegInScans(WIDTH, HEIGHT)],
];
for (const [name, make] of jpegs) measure(`${name} → JPEG`, make(), to('jpeg', TARGET), JPEG_LIMIT_MIB);
// Then come jobs at the same size, because they make the PNG and the LZW TIFF that later jobs read.
const png = measure('BMP → PNG of the same size', bmp(), to('png', WIDTH));
const lzw = measure('BMP → TIFF of the same size', bmp(), to('tiff', WIDTH));
/** @type {[string, () => Source | Promise<Source>][]} */
const files = [
  ['BMP', bmp],
  ['PNG', () => sourceOf(png)],
  ['Adam7 PNG', adam7],
  ['TIFF, uncompressed strips', tiffStrips],
  ['TIFF, LZW strips', () => sourceOf(lzw)],
  ['TIFF, one Deflate strip', tiffStrip],
  ['TIFF, tiles of 256', tiffTiles],
];
for (const [name, make] of files) measure(`${name} → JPEG`, await make(), to('jpeg', TARGET));
measure('BMP → JPEG of the same size', bmp(), to('jpeg', WIDTH));
