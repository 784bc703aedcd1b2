// @ts-check
// A hundred megapixels through WebAssembly: the module's memory stays within 64 MiB. The pictures exist only while they are read.
import { runInCore, source } from './core.mjs';

const WIDTH = 12_500;
const HEIGHT = 8_000;
const LIMIT = 64 * 1024 * 1024;

/** @typedef {import('../../web/engine/core/core.js').Source} Source */

/**
 * A BMP of 24 bits a pixel whose rows are computed when they are read: a slope with grain, which no compressor takes for nothing.
 * @returns {Source}
 */
function hugeBmp() {
  const rowBytes = Math.ceil((WIDTH * 3) / 4) * 4;
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + rowBytes * HEIGHT, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(WIDTH, 18);
  header.writeInt32LE(HEIGHT, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  const slope = Uint8Array.from({ length: 1 << 16 }, (_, i) => (i >> 9) + ((i * 2_654_435_761) >>> 29));
  return {
    byteLen: () => 54 + rowBytes * HEIGHT,
    readAt(offset, into) {
      let at = 0;
      for (; at < into.length && offset + at < 54; at += 1) into[at] = header[offset + at] ?? 0;
      while (at < into.length) {
        const from = (offset + at - 54) & 0xffff;
        const part = slope.subarray(from, from + into.length - at);
        into.set(part, at);
        at += part.length;
      }
      return into.length;
    },
  };
}

/**
 * @param {import('../../web/engine/core/core.js').FormatName} format
 * @param {number} width
 * @returns {import('../../web/engine/core/core.js').ResizeJob}
 */
function to(format, width) {
  const target = { width, height: Math.round((width * HEIGHT) / WIDTH) };
  const crop = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
  const output = { format, quality: null, background: /** @type {[number, number, number]} */ ([255, 255, 255]) };
  return { parts: [{ frame: 0, crop, target, canvas: null }], kernel: 'lanczos3', light: 'auto', output, memory: LIMIT };
}

const bmp = hugeBmp();
// At its own size first: the same picture as a PNG, to be read in turn.
const png = runInCore(bmp, to('png', WIDTH));
const jobs = [
  { name: 'BMP → PNG, both 100 MP', memory: png.memory },
  { name: 'BMP 100 MP → 1920 px JPEG', memory: runInCore(bmp, to('jpeg', 1920)).memory },
  { name: 'PNG 100 MP → 1920 px PNG', memory: runInCore(source(png.bytes), to('png', 1920)).memory },
];
for (const { name, memory } of jobs) {
  console.log(`${name}: ${(memory / 1048576).toFixed(1)} MiB of WebAssembly memory, at most 64`);
  if (memory > LIMIT) process.exitCode = 1;
}
