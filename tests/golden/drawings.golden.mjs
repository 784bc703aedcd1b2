// @ts-check
// Draws SVG files in WebAssembly, larger than they may be in one piece: the memory of the module of drawings must stay
// within 128 MiB. With SIDE=20000 it is pictures of 20,000 × 20,000 pixels, of all drawings instead of two; with DRAWING
// it is one drawing.
import fs from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { root } from '../../scripts/toolchain.mjs';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { decode } from './core.mjs';
import { drawings } from './drawings.mjs';

const side = Number(process.env['SIDE'] ?? 2100);
const LIMIT_MIB = 128;
const only = process.env['DRAWING'];

/** @type {(readonly [name: string, file: Buffer, width: number, height: number])[]} */
const files = [
  ['shapes', fs.readFileSync(path.join(root, 'tests/fixtures/pictures/shapes.svg')), 120, 90],
  ...drawings.map(([name, file]) => /** @type {const} */ ([name, file, 100, 100])),
];

const chosen = process.env['SIDE'] === undefined ? files.slice(0, 2) : files;

for (const [name, file, width, height] of chosen) {
  if (only !== undefined && name !== only) continue;
  const target = { width: side, height: side };
  const parts = [{ frame: 0, crop: { x: 0, y: 0, width, height }, target, canvas: null }];
  let written = 0;
  const sink = {
    write: (/** @type {Uint8Array} */ chunk) => {
      written += chunk.length;
    },
    patch: () => {},
    reread: () => sourceOf(Buffer.alloc(0)),
    progress: () => {},
  };
  const start = performance.now();
  const job = { parts, memory: LIMIT_MIB << 20, output: /** @type {const} */ ({ format: 'png' }) };
  const memory = decode('svg', sourceOf(file), sink, job) / 1048576;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name} at ${side} × ${side}: ${memory.toFixed(1)} MiB of WebAssembly memory so far, ${seconds} s`);
  if (memory > LIMIT_MIB || written < side * side * 4) process.exitCode = 1;
}
