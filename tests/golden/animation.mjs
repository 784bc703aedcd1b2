// @ts-check
// A long animation that is computed while it is read: 1000 × 1000 pixels, all of which change in every frame.

const SIDE = 1000;
/** Different frames, which are repeated. */
const PICTURES = 4;
const CLEAR = 256;
const END = 257;
/** Literal codes after which the reader's table is emptied, so that all codes have nine bits. */
const LITERALS = 254;

/** @param {(at: number) => number} index @returns {Buffer} LZW data in sub-blocks, without strings */
function literals(index) {
  const codes = SIDE * SIDE + Math.ceil((SIDE * SIDE) / LITERALS) + 1;
  const packed = Buffer.alloc(Math.ceil((codes * 9) / 8));
  let bit = 0;
  const put = (/** @type {number} */ code) => {
    const shifted = code << (bit & 7);
    packed[bit >> 3] = (packed[bit >> 3] ?? 0) | (shifted & 255);
    packed[(bit >> 3) + 1] = (packed[(bit >> 3) + 1] ?? 0) | (shifted >> 8);
    bit += 9;
  };
  for (let at = 0; at < SIDE * SIDE; at++) {
    if (at % LITERALS === 0) put(CLEAR);
    put(index(at));
  }
  put(END);
  const blocks = [Buffer.of(8)];
  for (let at = 0; at < packed.length; at += 255) {
    const block = packed.subarray(at, at + 255);
    blocks.push(Buffer.of(block.length), block);
  }
  return Buffer.concat([...blocks, Buffer.of(0)]);
}

/** @param {number} frames @returns {import('../../web/engine/core/core.js').Source} */
export function longGif(frames) {
  const side = [SIDE & 255, SIDE >> 8];
  const palette = Buffer.from(Array.from({ length: 256 }, (_, i) => [i, (i * 7) & 255, 255 - i]).flat());
  const head = Buffer.concat([Buffer.from('GIF89a'), Buffer.of(...side, ...side, 0xf7, 0, 0), palette]);
  const frame = (/** @type {number} */ picture) =>
    Buffer.concat([
      Buffer.of(0x21, 0xf9, 4, 4, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0, ...side, ...side, 0),
      literals((at) => ((at % SIDE) + Math.trunc(at / SIDE) * 3 + picture * 50) & 255),
    ]);
  const pictures = Buffer.concat(Array.from({ length: PICTURES }, (_, picture) => frame(picture)));
  const byteLength = head.length + (pictures.length / PICTURES) * frames + 1;
  const byteAt = (/** @type {number} */ offset) => {
    if (offset < head.length) return head.subarray(offset);
    if (offset === byteLength - 1) return Buffer.of(0x3b);
    const start = (offset - head.length) % pictures.length;
    return pictures.subarray(start, Math.min(pictures.length, start + byteLength - 1 - offset));
  };
  return {
    byteLen: () => byteLength,
    readAt(offset, into) {
      const wanted = Math.min(into.length, byteLength - offset);
      for (let at = 0; at < wanted; ) {
        const part = byteAt(offset + at).subarray(0, wanted - at);
        into.set(part, at);
        at += part.length;
      }
      return wanted;
    },
  };
}

/** @param {number} frames @param {number} target @returns {import('../../web/engine/core/core.js').ResizeJob} */
export function longGifJob(frames, target) {
  const crop = { x: 0, y: 0, width: SIDE, height: SIDE };
  const size = { width: target, height: target };
  const parts = Array.from({ length: frames }, (_, frame) => ({ frame, crop, target: size, canvas: null }));
  return { parts, kernel: 'lanczos3', light: 'auto', output: { format: 'gif' }, memory: 64 * 1024 * 1024 };
}
