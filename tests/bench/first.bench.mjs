// @ts-check
// The first photograph after the page has been idle for five seconds, compared with later ones, in each engine.
// WebAssembly that the browser has not optimised yet takes three times as long, so the engine warms up while the page
// is idle.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { availableEngines } from '../lib/engines.mjs';
import { openPage } from './contest.mjs';
import { mosaics, realPhotograph } from './material.mjs';
import { printTable, range, summarise } from './measure.mjs';
import { processorTime } from './processor.mjs';

/** @typedef {import('./contest.mjs').Target} Target */
/** @typedef {{ milliseconds: number, processor: number }} Time `processor` is in milliseconds of all threads */

const idleMs = 5000;
const visits = Number(process.env['VISITS'] ?? 3);
const steadyAfter = 5;
const steady = 5;
const bar = 1.5;

/**
 * @param {import('../lib/engines.mjs').EngineName} engine
 * @param {string} file
 * @param {number} idle milliseconds
 * @returns {Promise<{ first: Time, steady: Time[] }>}
 */
async function visit(engine, file, idle) {
  const { width, height } = await sharp(file).autoOrient().metadata();
  /** @type {Target} */
  const target = { width: 1920, height: Math.round((height * 1920) / width), type: 'image/jpeg', quality: 85 };
  const page = await openPage(engine, [file]);
  const timed = async () => {
    const before = processorTime();
    const milliseconds = await page.timed('ours', 0, target);
    return { milliseconds, processor: processorTime() - before };
  };
  try {
    await page.load('/tests/bench/page/ours.js');
    await sleep(idle);
    const first = await timed();
    const times = [];
    for (let i = 0; i < steadyAfter + steady; i++) times.push(await timed());
    return { first, steady: times.slice(steadyAfter) };
  } finally {
    await page.close();
  }
}

/** @param {import('../lib/engines.mjs').EngineName} engine @param {string} file @param {number} idle */
async function row(engine, file, idle) {
  /** @type {{ first: Time, steady: Time[] }[]} */
  const all = [];
  for (let i = 0; i < visits; i++) all.push(await visit(engine, file, idle));
  const cells = /** @type {const} */ (['milliseconds', 'processor']).flatMap((kind) => {
    const first = summarise(all.map((times) => times.first[kind]));
    const later = summarise(all.flatMap((times) => times.steady.map((time) => time[kind])));
    return [range(first), range(later), (first.median / later.median).toFixed(2)];
  });
  return [engine, path.basename(file).slice(-20), `${idle / 1000} s`, ...cells];
}

/** @param {string[]} files */
async function main(files) {
  const given = files.length > 0 ? files : [(await mosaics()).jpeg, realPhotograph()];
  const rows = [];
  for (const { engine } of availableEngines()) {
    for (const file of given) {
      for (const idle of [0, idleMs]) rows.push(await row(engine, file, idle));
    }
  }
  const figures = ['first, ms', 'steady', 'ratio'];
  printTable(['engine', 'file', 'idle', ...figures, ...figures.map((figure) => `processor: ${figure}`)], rows);
  console.log(`\nbar: a ratio of at most ${bar} after ${idleMs / 1000} s`);
}

await main(process.argv.slice(2));
process.exit(); // the browser would keep this process
