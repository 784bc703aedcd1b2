// @ts-check
// The growth of the page's process in Chromium while it resizes a JPEG of 24 and of 100 megapixels from the disk to 1920
// pixels. Each figure is of a new page whose engine has warmed up.
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { openPage } from './contest.mjs';
import { largeMosaic, mosaics } from './material.mjs';
import { printTable, range, summarise } from './measure.mjs';
import { growth } from './resident.mjs';

/** @typedef {import('./contest.mjs').Target} Target */

const idleMs = 5000;
const visits = Number(process.env['VISITS'] ?? 3);
const contenders = ['ours', 'ours, two threads', 'canvas'];

/** @param {string} contender @param {string} file */
async function visit(contender, file) {
  const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
  /** @type {Target} */
  const target = { width: 1920, height: Math.round((height * 1920) / width), type: 'image/jpeg', quality: 85 };
  const page = await openPage('chromium', [file]);
  try {
    await page.load(`/tests/bench/page/${contender === 'canvas' ? 'canvas' : 'ours'}.js`);
    await sleep(idleMs);
    return await growth(() => page.timed(contender, 0, target));
  } finally {
    await page.close();
  }
}

/** @type {[string, string, number][]} */
const files = [
  ['24 MP', (await mosaics()).jpeg, 60],
  ['100 MP', await largeMosaic(), 80],
];
const rows = [];
for (const [name, file, bar] of files) {
  for (const contender of contenders) {
    /** @type {import('./resident.mjs').Resident[]} */
    const all = [];
    for (let i = 0; i < visits; i++) all.push(await visit(contender, file));
    const megabytes = (/** @type {'renderer' | 'all'} */ kind) =>
      range(summarise(all.map((figures) => figures[kind] / 1e6)));
    rows.push([name, contender, megabytes('renderer'), String(bar), megabytes('all')]);
  }
}
printTable(['file', 'contender', 'page, MB', 'bar', 'all processes, MB'], rows);
process.exit(); // the browser would keep this process
