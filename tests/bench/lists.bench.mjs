// @ts-check
// The page with many photographs, in Chromium. First, 1,000 files are added, settings typed, the list scrolled, the run
// cancelled and the list cleared: the longest task of the page's main thread in each step, and the number of workers.
// Then a script uses the page while 200 photographs are resized: the time from each interaction to the next paint.
// FILES and BATCH set the numbers of photographs.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedBrowser } from '../lib/browsers.mjs';
import { findEngine } from '../lib/engines.mjs';
import serveSite from '../lib/site-server.mjs';
import { click } from './click.mjs';
import { photographs } from './material.mjs';
import { printTable } from './measure.mjs';
import { countWorkers, observeInteractions, tasksDuring } from './page-tasks.mjs';

/** @typedef {import('playwright').Page} Page */

const many = Number(process.env['FILES'] ?? 1000);
const batch = Number(process.env['BATCH'] ?? 200);
const taskBar = 50;
const readingBar = 200;
const interactionBar = 100;

/** Links to the photographs under different names. @param {string} folder @param {number} count @returns {string[]} */
function copies(folder, count) {
  const originals = photographs();
  return Array.from({ length: count }, (_, i) => {
    const original = originals[i % originals.length] ?? '';
    const link = path.join(folder, `${String(i).padStart(4, '0')}-${path.basename(original)}`);
    fs.symlinkSync(original, link);
    return link;
  });
}

/** @param {Page} page @param {string[]} files adds the files and waits until all headers are read */
async function add(page, files) {
  const isRead = (/** @type {number} */ count) => {
    const rows = document.querySelectorAll('[data-item]');
    return rows.length === count && document.querySelector('[data-item][data-phase=reading]') === null;
  };
  await page.setInputFiles('input[type=file]', files);
  await page.waitForFunction(isRead, files.length, { timeout: 300_000, polling: 500 });
  await sleep(1000); // thumbnails of the visible rows
}

/** Types into Width as a person does. @param {Page} page @param {string} text */
async function typeWidth(page, text) {
  await click(page, 'Width in pixels');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text, { delay: 150 });
  await sleep(500);
}

/** Scrolls down and up again. @param {Page} page @param {number} turns of the wheel */
async function scroll(page, turns) {
  await page.mouse.move(300, 400);
  for (let i = 0; i < 2 * turns; i++) {
    await page.mouse.wheel(0, i < turns ? 1200 : -1200);
    await sleep(50);
  }
}

/** @param {(page: Page) => Promise<void>} use a new page of the site */
async function withPage(use) {
  const found = findEngine('chromium');
  if ('missing' in found) throw new Error(found.missing);
  const { browser } = await sharedBrowser(found);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await use(page);
  await context.close();
}

/** @param {Page} page */
async function open(page) {
  await page.goto(process.env['SITE_URL'] ?? '');
  await sleep(3000); // the engine warms up
}

/** @param {Page} page @param {string[]} files */
async function stepsOfManyFiles(page, files) {
  await open(page);
  const workers = countWorkers(page);
  const press =
    (/** @type {string} */ name, seconds = 1) =>
    async () => {
      await click(page, name);
      await sleep(1000 * seconds);
    };
  /** @type {[string, () => Promise<unknown>][]} */
  const steps = [
    ['added and read', () => add(page, files)],
    ['1280 typed as the width', () => typeWidth(page, '1280')],
    ['scrolled to the end and back', () => scroll(page, Math.ceil(files.length / 12))],
    ['Resize Images, for 3 s', press('Resize Images', 3)],
    ['800 typed during the run', () => typeWidth(page, '800')],
    ['Cancel', press('Cancel', 2)],
    ['Clear all', press('Clear all')],
    ['Undo', press('Undo', 2)],
  ];
  const rows = [];
  for (const [name, work] of steps) {
    const before = workers.started;
    const tasks = await tasksDuring(page, work);
    rows.push([
      name,
      (tasks[0]?.processor ?? 0).toFixed(0),
      Math.max(0, ...tasks.map(({ wall }) => wall)).toFixed(0),
      String(name === 'added and read' ? readingBar : taskBar),
      String(tasks.filter(({ processor }) => processor > taskBar).length),
      (tasks.reduce((sum, { processor }) => sum + processor, 0) / 1000).toFixed(1),
      String(workers.started - before),
    ]);
  }
  const longest = ['longest task, ms of processor', 'by the clock', 'bar'];
  printTable(['step', ...longest, `tasks > ${taskBar} ms`, 'all tasks, s', 'workers started'], rows);
  console.log(`workers at the same time: ${workers.most} at most, with ${os.availableParallelism()} processors`);
}

/** What a person does while a batch runs. @param {Page} page */
async function changeSettingsAndList(page) {
  for (const text of ['1280', '800', '50']) {
    await typeWidth(page, text);
    for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key, { delay: 100 });
    for (const card of ['Format', 'Metadata']) {
      await click(page, card, '[aria-label=Settings]');
      await sleep(300);
    }
    await scroll(page, 10);
    await click(page, 'Preview', '[data-item]');
    await sleep(700);
    await page.keyboard.press('Escape');
    await sleep(300);
    await click(page, 'Remove', '[data-item]');
    await sleep(300);
    await click(page, 'Undo');
    await sleep(300);
  }
}

/** @param {Page} page @param {string[]} files */
async function interactionsDuringRun(page, files) {
  const durations = await observeInteractions(page);
  await open(page);
  await add(page, files);
  await click(page, 'Resize Images');
  await sleep(1000);
  const tasks = await tasksDuring(page, () => changeSettingsAndList(page));
  const isRunning = await page.evaluate(() => document.title.startsWith('('));
  const all = await durations();
  const at = (/** @type {number} */ share) => String(all[Math.ceil(all.length * share) - 1]?.duration);
  const task = (tasks[0]?.processor ?? 0).toFixed(0);
  printTable(
    ['interactions', 'median, ms', '95th percentile', 'bar', 'longest', 'longest task, ms of processor'],
    [[String(all.length), at(0.5), at(0.95), String(interactionBar), at(1), task]],
  );
  for (const { duration, what } of all.slice(-5).reverse()) console.log(`${duration} ms: ${what}`);
  if (!isRunning) console.log(`the run of ${files.length} photographs ended before the script: set BATCH`);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lists-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const files = copies(folder, Math.max(many, batch));
const stop = await serveSite();
console.log(`${many} photographs:`);
await withPage((page) => stepsOfManyFiles(page, files.slice(0, many)));
console.log(`\nwhile ${batch} photographs are resized:`);
await withPage((page) => interactionsDuringRun(page, files.slice(0, batch)));
await stop();
process.exit(); // the browser would keep this process
