// @ts-check
// Large JPEG files of three kinds. A row of MCUs is written by the core. Its data are repeated, each time as a restart
// interval (ITU-T T.81 E.1.4), so that a file of any height takes no time.
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { runInCore } from './core.mjs';

/** @typedef {{ code: number, payload: Buffer, data: Buffer }} Segment a segment, and for SOS the data behind it */
/** @typedef {'baseline' | 'progressive'} Coding */

const SOF0 = 0xc0;
const SOF2 = 0xc2;
const SOS = 0xda;
const DRI = 0xdd;

/**
 * Writes a strip as a JPEG.
 * @param {number} width
 * @param {number} height
 * @param {1 | 3} channels
 * @param {Coding} coding
 * @returns {Segment[]}
 */
function strip(width, height, channels, coding) {
  const header = Buffer.from(`P${channels === 1 ? 5 : 6} ${width} ${height} 255\n`, 'latin1');
  // A slope with noise.
  const samples = Buffer.alloc(width * height * channels);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (i >> 8) + (Math.imul(i, 2_654_435_761) >>> 29);
  const size = { width, height };
  const { bytes } = runInCore(sourceOf(Buffer.concat([header, samples])), {
    parts: [{ frame: 0, crop: { x: 0, y: 0, ...size }, target: size, canvas: null }],
    kernel: 'lanczos3',
    light: 'auto',
    output: { format: 'jpeg', quality: 80, coding },
    memory: 2 ** 28,
  });
  return segments(Buffer.from(bytes));
}

/** @param {Buffer} jpeg a file without restart markers */
function segments(jpeg) {
  /** @type {Segment[]} */
  const found = [];
  for (let at = 2; jpeg[at + 1] !== 0xd9; ) {
    const code = jpeg[at + 1] ?? 0;
    const start = at + 2 + jpeg.readUInt16BE(at + 2);
    let end = start;
    if (code === SOS) while (jpeg[end] !== 0xff || jpeg[end + 1] === 0) end += 1;
    found.push({ code, payload: jpeg.subarray(at + 4, start), data: jpeg.subarray(start, end) });
    at = end;
  }
  return found;
}

/** @param {number} code @param {Uint8Array} payload */
function segment(code, payload) {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

/**
 * Writes a scan whose data are repeated, each time as a restart interval.
 * @param {Segment} scan
 * @param {number} interval the number of MCUs in the data
 * @param {number} times
 */
function repeated({ payload, data }, interval, times) {
  /** @type {Uint8Array[]} */
  const parts = [segment(DRI, Buffer.from([interval >> 8, interval & 0xff])), segment(SOS, payload)];
  for (let i = 0; i < times; i += 1) parts.push(data, Buffer.from([0xff, 0xd0 + (i % 8)]));
  parts.pop();
  return Buffer.concat(parts);
}

/**
 * Makes a picture in colour at half the resolution, baseline or progressive.
 * @param {number} width
 * @param {number} height a multiple of 16
 * @param {Coding} coding
 */
export function largeJpeg(width, height, coding) {
  /** The number of blocks across a component. @param {number} part its part of the width */
  const blocks = (part) => Math.ceil(Math.ceil(width / part) / 8);
  const parts = strip(width, 16, 3, coding).map((from) => {
    const { code, payload } = from;
    if (code === SOF0 || code === SOF2) payload.writeUInt16BE(height, 1);
    if (code !== SOS) return segment(code, payload);
    // A scan of one component has a block in an MCU: two rows of luminance, or one of colour (A.2.2).
    const isLuma = payload[1] === 1;
    const alone = isLuma ? 2 * blocks(1) : blocks(2);
    return repeated(from, payload[0] === 1 ? alone : Math.ceil(width / 16), height / 16);
  });
  return sourceOf(Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]));
}

/**
 * Makes a sequential picture with a scan for each of three components, which have the same samples.
 * @param {number} width
 * @param {number} height a multiple of 8
 */
export function largeJpegInScans(width, height) {
  const ids = [1, 2, 3];
  const parts = strip(width, 8, 1, 'baseline').flatMap((from) => {
    const { code, payload } = from;
    if (code === SOF0) {
      payload.writeUInt16BE(height, 1);
      const components = ids.flatMap((id) => [id, 0x11, 0]);
      return [segment(SOF0, Buffer.concat([payload.subarray(0, 5), Buffer.from([3, ...components])]))];
    }
    if (code !== SOS) return [segment(code, payload)];
    const of = (/** @type {number} */ id) => ({ ...from, payload: Buffer.from([1, id, 0, 0, 63, 0]) });
    return ids.map((id) => repeated(of(id), Math.ceil(width / 8), height / 8));
  });
  return sourceOf(Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]));
}
