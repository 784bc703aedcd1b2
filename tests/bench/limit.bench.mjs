// @ts-check
// The largest size of a file on the photographs of the Kodak set: how close the best file within five limits comes, and
// how many times each photograph is encoded.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runnerImport } from 'vite';
import { root } from '../../scripts/toolchain.mjs';
import { printTable } from './measure.mjs';

/** @typedef {import('../../web/engine/node/index.ts').ResizeJob} ResizeJob */
/** @typedef {import('../../web/domain/quality-search.ts').Attempt} Attempt */

const shared = process.env['SHARED_DIR'] ?? path.join(root, '../shared');
const folder = path.join(shared, 'corpus/png/kodak');
const limits = [15, 30, 60, 120, 240].map((kilobytes) => kilobytes * 1024);
const formats = /** @type {const} */ (['jpeg', 'webp']);

/** @type {{ module: typeof import('../../web/domain/quality-search.ts') }} */
const { module } = await runnerImport(path.join(root, 'web/domain/quality-search.ts'), {
  configFile: false,
  logLevel: 'warn',
});
/** @type {typeof import('../../web/engine/node/index.ts')} */
const engine = await import(pathToFileURL(path.join(root, 'dist/engine/node.js')).href);

/** @param {Buffer} file @param {'jpeg' | 'webp'} format @param {Attempt} attempt @returns {number} bytes */
function bytesOf(file, format, attempt) {
  const info = engine.probe(file);
  if (engine.isFailed(info)) throw new Error(JSON.stringify(info.failure));
  const size = engine.uprightSize(info);
  const result = engine.run(file, {
    parts: [{ frame: 0, crop: { x: 0, y: 0, ...size }, target: size, canvas: null }],
    kernel: 'lanczos3',
    light: 'auto',
    decoding: 'exact',
    output:
      format === 'jpeg'
        ? { format, background: [255, 255, 255], coding: 'baseline', subsampling: 'auto', ...attempt }
        : { format, lossless: false, effort: 'default', ...attempt },
    metadata: 'remove',
    memory: 1 << 30,
  });
  if (engine.isFailed(result)) throw new Error(JSON.stringify(result.failure));
  return result.bytes.length;
}

/**
 * Returns the attempts of a search and the best file's part of the limit; `ends` if that is of the highest quality.
 * @param {Buffer} file @param {'jpeg' | 'webp'} format @param {number} limit
 */
function search(file, format, limit) {
  const isJpeg = format === 'jpeg';
  const range = { limit, highest: 100, lowest: isJpeg ? 1 : 0 };
  const steps = module.searchQuality({ ...range, splitsColor: isJpeg, savesByEffort: !isJpeg });
  let attempts = 0;
  let best = 0;
  let ends = false;
  for (let step = steps.next(); !step.done; attempts += 1) {
    const bytes = bytesOf(file, format, step.value);
    if (bytes <= limit) best = Math.max(best, bytes);
    ends ||= bytes <= limit && step.value.quality === 100;
    step = steps.next(bytes);
  }
  return { attempts, part: best / limit, ends };
}

if (fs.existsSync(folder)) {
  const files = fs.readdirSync(folder).filter((entry) => entry.endsWith('.png'));
  const rows = formats.flatMap((format) =>
    limits.map((limit) => {
      const found = files.map((name) => search(fs.readFileSync(path.join(folder, name)), format, limit));
      const close = found.filter(({ part, ends }) => part >= 0.95 || ends).length;
      const attempts = found.map((one) => one.attempts);
      const parts = found.filter(({ ends }) => !ends).map(({ part }) => part);
      return [
        format,
        `${limit / 1024} KB`,
        `${close} of ${found.length}`,
        parts.length === 0 ? '–' : Math.min(...parts).toFixed(3),
        (attempts.reduce((sum, count) => sum + count, 0) / attempts.length).toFixed(1),
        String(Math.max(...attempts)),
      ];
    }),
  );
  printTable(['format', 'limit', 'within 5 %, or quality 100', 'least part', 'encodes, mean', 'most'], rows);
} else {
  console.error(`\n!!! SKIPPED: no ${folder}`);
}
