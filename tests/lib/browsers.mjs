// @ts-check
// Drives any of the three engines through one interface: a page, files for an input, clicks, texts, downloads.
// Playwright drives Chromium and Firefox; tests/lib/webkit.mjs drives WebKitGTK. Tests that run in every engine use
// `Driver`; features of one engine (throttling, routing, clocks) require Playwright's own interface.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultTimeoutMs, newFileIn } from './downloads.mjs';
import { findEngine, launchOptions } from './engines.mjs';
import { launchWebKit } from './webkit.mjs';

/** @typedef {import('./engines.mjs').EngineName} EngineName */
/** @typedef {import('./downloads.mjs').Downloaded} Downloaded */
/** @typedef {import('./downloads.mjs').Patience} Patience */
/**
 * Functions that are passed to `eval` and `waitFor` run in the page. They can use only their arguments, which must be
 * JSON.
 * @typedef {object} Driver
 * @property {EngineName} engine
 * @property {(url: string) => Promise<void>} goto
 * @property {(selector: string) => Promise<void>} click
 * @property {(selector: string, text: string) => Promise<void>} fill replaces the text of the field
 * @property {(key: string) => Promise<void>} press sends a key to the focused
 *   element: a character, or `Tab`, `Enter`, `ArrowDown` …
 * @property {(selector: string, files: string[]) => Promise<void>} setFiles absolute paths
 * @property {(selector: string) => Promise<string>} text
 * @property {(selector: string, text: string, patience?: Patience) => Promise<void>} waitForText until it contains `text`
 * @property {<A extends unknown[], R>(condition: (...args: A) => R, args: A, patience?: Patience) => Promise<R>} waitFor
 *   until it returns something truthy
 * @property {(trigger: () => Promise<unknown>, patience?: Patience) => Promise<Downloaded>} download
 * @property {<A extends unknown[], R>(action: (...args: A) => R, ...args: A) => Promise<Awaited<R>>} eval
 * @property {(width: number, height: number) => Promise<void>} resize
 * @property {() => Promise<Buffer>} screenshot PNG; in WebKit only with `layers`
 * @property {() => Promise<void>} close
 */
/**
 * The functions of a driver that each engine implements; the others are the same for all engines.
 * @typedef {Omit<Driver, 'waitFor' | 'waitForText'>} EngineDriver
 */

/**
 * @param {EngineDriver} driver
 * @returns {Driver}
 */
function withWaiting(driver) {
  /** @type {Driver['waitFor']} */
  const waitFor = async (condition, args, { timeoutMs = defaultTimeoutMs } = {}) => {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const value = await driver.eval(condition, ...args);
      if (value) return value;
      if (Date.now() > deadline) {
        throw new Error(`${driver.engine}: not within ${timeoutMs} ms: ${condition} with ${JSON.stringify(args)}`);
      }
      await sleep(100);
    }
  };
  return {
    ...driver,
    waitFor,
    waitForText: async (selector, text, patience) => {
      await waitFor(
        (wantedSelector, wantedText) =>
          document.querySelector(wantedSelector)?.textContent?.includes(wantedText) ?? false,
        [selector, text],
        patience,
      );
    },
  };
}

/** @typedef {{ browser: import('playwright').Browser, downloads: string }} SharedBrowser */

/** The running browsers of this process. @type {Map<EngineName, Promise<SharedBrowser>>} */
const browsers = new Map();

/**
 * @param {import('./engines.mjs').FoundEngine} found
 * @returns {Promise<SharedBrowser>}
 */
async function start(found) {
  const { chromium, firefox } = await import('playwright');
  const downloads = fs.mkdtempSync(path.join(os.tmpdir(), `${found.engine}-downloads-`));
  process.once('exit', () => fs.rmSync(downloads, { recursive: true, force: true }));
  const type = found.engine === 'firefox' ? firefox : chromium;
  return { browser: await type.launch({ ...launchOptions(found), downloadsPath: downloads }), downloads };
}

/**
 * Returns the browser of an engine. There is one per engine and process; it ends with the process. Each test uses
 * contexts of its own, with their own locale, storage and viewport.
 * @param {import('./engines.mjs').FoundEngine} found Chromium or Firefox
 * @returns {Promise<SharedBrowser>}
 */
export function sharedBrowser(found) {
  const started = browsers.get(found.engine) ?? start(found);
  browsers.set(found.engine, started);
  return started;
}

/**
 * @param {import('./engines.mjs').FoundEngine} found
 * @param {import('playwright').BrowserContextOptions} [options]
 * @returns {Promise<EngineDriver>}
 */
async function playwrightDriver(found, options = {}) {
  const { engine } = found;
  const { browser, downloads } = await sharedBrowser(found);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(defaultTimeoutMs);

  /** @type {Driver['download']} */
  const download = async (trigger, patience) => {
    // Firefox reports no download of a blob: URL, but the file appears in the folder.
    if (engine === 'firefox') return newFileIn(downloads, trigger, patience);
    const [event] = await Promise.all([
      page.waitForEvent('download', { timeout: patience?.timeoutMs ?? defaultTimeoutMs }),
      trigger(),
    ]);
    const target = path.join(downloads, event.suggestedFilename());
    await event.saveAs(target);
    return { name: event.suggestedFilename(), path: target };
  };
  return {
    engine,
    goto: async (url) => void (await page.goto(url)),
    click: (selector) => page.click(selector),
    fill: (selector, text) => page.fill(selector, text),
    press: (key) => page.keyboard.press(key),
    setFiles: (selector, files) => page.setInputFiles(selector, files),
    text: async (selector) => (await page.textContent(selector)) ?? '',
    download,
    eval: (action, ...args) => page.evaluate(`(${action})(...${JSON.stringify(args)})`),
    resize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
    close: () => context.close(),
  };
}

/**
 * @param {EngineName} engine
 * @param {{ context?: import('playwright').BrowserContextOptions, layers?: boolean }} [options] `context` is ignored by
 *   WebKit; `layers`: see `launchWebKit`
 * @returns {Promise<Driver>}
 */
export async function launch(engine, { context, layers = false } = {}) {
  const found = findEngine(engine);
  if ('missing' in found) throw new Error(`${engine}: ${found.missing}`);
  return withWaiting(
    engine === 'webkit' ? await launchWebKit(found, { layers }) : await playwrightDriver(found, context),
  );
}
