// @ts-check
// The golden table in WebAssembly in Node. Only the native run writes the checksums, so this script always compares.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/toolchain.mjs';
import { sourceOf } from '../../web/engine/node/memory.mjs';
import { runDrawing, runInCore, runWith } from './core.mjs';

/** @typedef {{ file: string, job: import('../../web/engine/core/core.js').ResizeJob, sha256: string }} Row */

/** @type {Row[]} */
const rows = JSON.parse(fs.readFileSync(path.join(root, 'tests/golden/table.json'), 'utf8'));
const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');

/** The files that another module decodes. @type {Readonly<Record<string, typeof runInCore>>} */
const runs = { '.avif': runWith('avif'), '.heic': runWith('heic'), '.jxl': runWith('jxl'), '.svg': runDrawing };

/** @param {string} file */
const place = (file) => (file.startsWith('shared/') ? path.join(shared, file.slice(7)) : path.join(root, file));

let compared = 0;
let wrong = 0;
for (const { file, job, sha256 } of rows) {
  if (!fs.existsSync(place(file))) {
    console.log(`SKIPPED: ${file} is not on this machine`);
    continue;
  }
  const run = runs[path.extname(file)] ?? runInCore;
  const { bytes } = run(sourceOf(fs.readFileSync(place(file))), job);
  compared += 1;
  if (createHash('sha256').update(bytes).digest('hex') === sha256) continue;
  wrong += 1;
  console.error(`differs from the native result: ${file} ${JSON.stringify(job)}`);
}
console.log(`golden table in Node: ${compared - wrong} of ${compared} rows are the native bytes`);
if (wrong > 0 || compared < 40) process.exitCode = 1;
