// @ts-check
// The first load of each home page in Chromium on a phone's screen, with a processor that is slowed down four times as in
// Lighthouse: the tasks of the page's main thread after the first paint, in processor time. Blocking time is the sum of what
// each task takes beyond 50 ms. VISITS sets the number of visits, each with an empty cache.
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedBrowser } from '../lib/browsers.mjs';
import { findEngine } from '../lib/engines.mjs';
import serveSite from '../lib/site-server.mjs';
import { printTable, range, summarise } from './measure.mjs';
import { tasksOfLoad } from './page-tasks.mjs';

const visits = Number(process.env['VISITS'] ?? 5);
const slowdown = 4;
const longTask = 50;
const bar = 60;
/** The time in which the chunks for files are loaded. */
const settleMs = 2000;
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

const found = findEngine('chromium');
if ('missing' in found) throw new Error(found.missing);
const stop = await serveSite();
const { browser } = await sharedBrowser(found);

/** @param {string} path */
async function visit(path) {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const tasks = await tasksOfLoad(page, process.env['SITE_URL'] + path, {
    slowdown,
    settled: async () => {
      await page.waitForFunction(() => performance.getEntriesByName('site:alive').length > 0);
      await sleep(settleMs);
    },
  });
  await context.close();
  const times = tasks.map(({ processor }) => processor);
  const sum = (/** @type {number[]} */ all) => all.reduce((total, time) => total + time, 0);
  return {
    blocking: sum(times.map((time) => Math.max(0, time - longTask))),
    longest: times[0] ?? 0,
    second: times[1] ?? 0,
    all: sum(times),
  };
}

await visit('/'); // reads the browser's files from the disk
const rows = [];
for (const path of ['/', '/en/', '/zh-CN/', '/zh-TW/']) {
  /** @type {Awaited<ReturnType<typeof visit>>[]} */
  const loads = [];
  for (let i = 0; i < visits; i++) loads.push(await visit(path));
  const of = (/** @type {keyof (typeof loads)[0]} */ figure) => range(summarise(loads.map((load) => load[figure])));
  rows.push([path, of('blocking'), String(bar), of('longest'), of('second'), of('all')]);
}
printTable(['page', 'blocking time, ms', 'bar', 'longest task', 'second longest', 'all tasks'], rows);
await stop();
process.exit(); // the browser would keep this process
