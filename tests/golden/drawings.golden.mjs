// @ts-check
// Draws SVG files in WebAssembly, larger than they may be in one piece: the memory of the module of drawings must stay
// within 128 MiB. With SIDE=20000 it is pictures of 20,000 × 20,000 pixels.
import fs from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { root } from '../../scripts/toolchain.mjs';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { draw } from './core.mjs';

const side = Number(process.env['SIDE'] ?? 2100);
const LIMIT_MIB = 128;

const layers = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">
<filter id="f"><feDropShadow dx=".3" dy=".4" stdDeviation=".02"/></filter>
<linearGradient id="g"><stop stop-color="#fff"/><stop offset="1" stop-color="#333"/></linearGradient>
<mask id="m"><rect width="100" height="100" fill="url(#g)"/></mask>
<clipPath id="c"><circle cx="50" cy="50" r="49"/></clipPath>
<g clip-path="url(#c)"><g mask="url(#m)"><path d="M0 50Q50-40 100 50V90H0z" fill="#27c"/></g></g>
<g opacity=".5"><circle cx="40" cy="60" r="30" fill="#c52" filter="url(#f)"/></g></svg>`;

/** @type {[name: string, file: Buffer, width: number, height: number][]} */
const drawings = [
  ['shapes', fs.readFileSync(path.join(root, 'tests/fixtures/pictures/shapes.svg')), 120, 90],
  ['layers', Buffer.from(layers), 100, 100],
];

for (const [name, file, width, height] of drawings) {
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
  const memory = draw(sourceOf(file), sink, { parts, memory: LIMIT_MIB << 20 }) / 1048576;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name} at ${side} × ${side}: ${memory.toFixed(1)} MiB of WebAssembly memory so far, ${seconds} s`);
  if (memory > LIMIT_MIB || written < side * side * 4) process.exitCode = 1;
}
