// @ts-check
// The first photograph after the page has been idle for five seconds, against the steady state, in each engine. Cold
// WebAssembly is three times slower than what a browser has optimised, so the engine warms itself while nobody waits.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { availableEngines } from '../lib/engines.mjs';
import { openPage } from './contest.mjs';
import { mosaics, realPhotograph } from './material.mjs';
import { printTable, range, summarise } from './measure.mjs';

const idleMs = 5000;
const visits = Number(process.env['VISITS'] ?? 3);
const steadyAfter = 5;
const steady = 5;
const bar = 1.5;

/**
 * @param {import('../lib/engines.mjs').EngineName} engine
 * @param {string} file
 * @param {number} idle milliseconds
 * @returns {Promise<{ first: number, steady: number[] }>}
 */
async function visit(engine, file, idle) {
  const { width, height } = await sharp(file).autoOrient().metadata();
  const target = { width: 1920, height: Math.round((height * 1920) / width), type: 'image/jpeg', quality: 85 };
  const page = await openPage(engine, [file]);
  try {
    await page.load('/tests/bench/page/ours.js');
    await sleep(idle);
    const times = [];
    for (let i = 0; i < 1 + steadyAfter + steady; i++) {
      times.push(await page.timed('ours', 0, /** @type {import('./contest.mjs').Target} */ (target)));
    }
    return { first: times[0] ?? Number.NaN, steady: times.slice(1 + steadyAfter) };
  } finally {
    await page.close();
  }
}

/** @param {import('../lib/engines.mjs').EngineName} engine @param {string} file @param {number} idle */
async function row(engine, file, idle) {
  const all = [];
  for (let i = 0; i < visits; i++) all.push(await visit(engine, file, idle));
  const first = summarise(all.map((times) => times.first));
  const later = summarise(all.flatMap((times) => times.steady));
  const ratio = first.median / later.median;
  const said = idle === 0 ? '' : ratio <= bar ? 'met' : 'MISSED';
  return [engine, path.basename(file), `${idle / 1000} s`, range(first), range(later), ratio.toFixed(2), said];
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
  printTable(['engine', 'file', 'idle', 'first, ms', 'steady, ms', 'ratio', `bar ${bar}`], rows);
}

await main(process.argv.slice(2));
