// @ts-check
// `npm run bench core -- FOLDER`: this core against another build of it, such as one of an older commit, whose `core.js`
// and `core_bg.wasm` are in FOLDER. Both run in turn in one process, so that other load disturbs both alike.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/toolchain.mjs';
import { MemorySink, sourceOf } from '../../web/engine/node/memory.mjs';
import { mosaics } from './material.mjs';
import { printTable, range, summarise } from './measure.mjs';

/** @typedef {{ format: string, light: string }} Choice */
/** @typedef {{ run: (file: Uint8Array, choice: Choice) => number }} Core */

const rounds = Number(process.env['ROUNDS'] ?? 9);
const warmRounds = 3;
const size = { width: 6000, height: 4000 };
const target = { width: 1920, height: 1280 };

// All options side by side, as older cores want them; today's core ignores those of other formats.
const options = { quality: 85, background: [255, 255, 255], effort: 'default', compression: 'lzw' };

/** @param {any} core the module `core.js` @param {Uint8Array} file @param {Choice} choice */
function runJob(core, file, { format, light }) {
  const run = new core.Run(sourceOf(file), new MemorySink(), {
    parts: [{ frame: 0, crop: { x: 0, y: 0, ...size }, target, canvas: null }],
    kernel: 'lanczos3',
    light,
    output: { format, ...options },
    metadata: 'keep-without-location',
    memory: 1 << 30,
  });
  let answer = run.step();
  while (answer === undefined) answer = run.step();
  run.free();
  // Older cores name the kind of their answer.
  if ('failure' in answer || answer.kind === 'failure') throw new Error(JSON.stringify(answer));
}

/** @param {string} folder @returns {Promise<Core>} */
async function load(folder) {
  const core = await import(pathToFileURL(path.join(folder, 'core.js')).href);
  core.initSync({ module: new WebAssembly.Module(fs.readFileSync(path.join(folder, 'core_bg.wasm'))) });
  const run = (/** @type {Uint8Array} */ file, /** @type {Choice} */ choice) => {
    const before = process.cpuUsage();
    runJob(core, file, choice);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return { run };
}

/**
 * Measures the processor times of each core, in milliseconds.
 * @param {Core[]} cores
 * @param {Uint8Array} file
 * @param {Choice} choice
 */
function measure(cores, file, choice) {
  const times = cores.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < warmRounds + rounds; round++) {
    // The core that begins changes from round to round.
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const time = cores[i]?.run(file, choice) ?? 0;
      if (round >= warmRounds) times[i]?.push(time);
    }
  }
  return times;
}

async function main() {
  const folder = process.argv[2];
  if (folder === undefined)
    return console.log('left out: give the folder of another core, npm run bench core -- FOLDER');
  const files = await mosaics();
  const cores = [await load(folder), await load(path.join(root, 'web/engine/core'))];
  /** @type {[string, string, Choice][]} */
  const tasks = [
    ['JPEG → JPEG', files.jpeg, { format: 'jpeg', light: 'auto' }],
    ['JPEG → JPEG, encoded light', files.jpeg, { format: 'jpeg', light: 'encoded' }],
    ['PNG → PNG', files.png, { format: 'png', light: 'auto' }],
    ['BMP → JPEG', files.bmp, { format: 'jpeg', light: 'auto' }],
    ['TIFF (LZW) → JPEG', files.lzw, { format: 'jpeg', light: 'auto' }],
    ['TIFF → JPEG', files.tiff, { format: 'jpeg', light: 'auto' }],
  ];
  const rows = tasks.map(([name, file, choice]) => {
    const [other = [], own = []] = measure(cores, fs.readFileSync(file), choice);
    const [before, now] = [summarise(other), summarise(own)];
    const least = Math.min(...own) / Math.min(...other);
    return [name, range(before), range(now), (now.median / before.median).toFixed(3), least.toFixed(3)];
  });
  printTable(['24 MP to 1920 px', 'other, ms', 'this, ms', 'medians', 'least'], rows);
}

await main();
