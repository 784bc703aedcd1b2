// @ts-check
// This project's core in Node, in a process that resize.bench.mjs pins to one core. It uses the same wasm as the page
// and reads the file from the disk, as sharp does.
import fs from 'node:fs';
import { runInCore } from '../golden/core.mjs';

/** @typedef {import('./contest.mjs').Target} Target */
/** @typedef {{ width: number, height: number }} Size */

/** @param {{ file: string, size: Size, target: Target, decoding?: 'exact' | 'fast' }} request */
function resize({ file, size, target: { width, height, type, quality }, decoding = 'exact' }) {
  const started = performance.now();
  const before = process.cpuUsage();
  const handle = fs.openSync(file, 'r');
  const byteLength = fs.fstatSync(handle).size;
  const from = {
    byteLen: () => byteLength,
    readAt: (/** @type {number} */ offset, /** @type {Uint8Array} */ into) =>
      fs.readSync(handle, into, 0, into.length, offset),
  };
  const { bytes } = runInCore(from, {
    parts: [{ frame: 0, crop: { x: 0, y: 0, ...size }, target: { width, height }, canvas: null }],
    kernel: 'lanczos3',
    light: 'auto',
    decoding,
    output: { format: type === 'image/png' ? 'png' : 'jpeg', quality, background: [255, 255, 255] },
    metadata: 'keep-without-location',
    memory: 1 << 30,
  });
  fs.closeSync(handle);
  const milliseconds = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { milliseconds, processor: (user + system) / 1000, bytes: bytes.toString('base64') };
}

process.on('message', (request) => {
  try {
    process.send?.(resize(/** @type {Parameters<typeof resize>[0]} */ (request)));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
