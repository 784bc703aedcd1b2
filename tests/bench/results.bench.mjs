// @ts-check
// The growth of the page's process in Chromium while it holds many results of a megabyte, and while it saves them as one
// ZIP file. RESULTS sets their number.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { sharedBrowser } from '../lib/browsers.mjs';
import { findEngine } from '../lib/engines.mjs';
import serveSite from '../lib/site-server.mjs';
import { click } from './click.mjs';
import { printTable } from './measure.mjs';
import { growth, resident } from './resident.mjs';

const count = Number(process.env['RESULTS'] ?? 1000);
const bar = 150;
/** A TIFF without compression of this side takes a megabyte at half of it. */
const side = 1184;
const settleMs = 5000;

/** @param {string} folder @returns {Promise<string[]>} links to one picture of noise under different names */
async function pictures(folder) {
  const original = path.join(folder, 'original.tiff');
  const noise = {
    create: { width: side, height: side, channels: 3, background: '#808080', noise: { type: 'gaussian' } },
  };
  await sharp(/** @type {any} */ (noise))
    .tiff({ compression: 'none' })
    .toFile(original);
  return Array.from({ length: count }, (_, i) => {
    const link = path.join(folder, `${i}.tiff`);
    fs.symlinkSync(original, link);
    return link;
  });
}

const found = findEngine('chromium');
if ('missing' in found) throw new Error(found.missing);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'results-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const files = await pictures(folder);
const stop = await serveSite();
const { browser } = await sharedBrowser(found);
const page = await (await browser.newContext()).newPage();
await page.goto(process.env['SITE_URL'] ?? '');
await page.getByLabel('Percent').first().fill('50');
await sleep(settleMs);
const session = await page.context().newCDPSession(page);
await session.send('HeapProfiler.collectGarbage');
const empty = resident();
/** @type {string[][]} */
const rows = [];

/** Adds a row: the growth since the empty page, at most during `work`, and what is held after it. @param {string} step @param {() => Promise<unknown>} work */
async function measured(step, work) {
  const before = resident();
  const most = await growth(work);
  await sleep(settleMs);
  await session.send('HeapProfiler.collectGarbage');
  await sleep(settleMs);
  const after = resident();
  const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(0);
  rows.push([
    step,
    megabytes(before.renderer + most.renderer - empty.renderer),
    megabytes(after.renderer - empty.renderer),
    String(bar),
    megabytes(after.all - empty.all),
  ]);
}

await measured(`${count} files added`, async () => {
  await page.setInputFiles('input[type=file]', files);
  await page.waitForFunction(
    (all) => document.querySelectorAll('[data-item]:not([data-phase=reading])').length === all,
    count,
    { timeout: 600_000, polling: 500 },
  );
});
await measured(`${count} results`, async () => {
  await click(page, 'Resize Images');
  await page.waitForFunction((all) => document.querySelectorAll('[data-item][data-phase=done]').length === all, count, {
    timeout: 1_200_000,
    polling: 500,
  });
});
await measured('saved as a ZIP file', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 600_000 }),
    click(page, 'Save', '[data-bar]'),
  ]);
  console.log(`${download.suggestedFilename()}: ${fs.statSync(await download.path()).size} bytes`);
});
printTable(['step', 'page at most, MB', 'page holds, MB', 'bar', 'all processes hold, MB'], rows);
await stop();
process.exit(); // the browser would keep this process
