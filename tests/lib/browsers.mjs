// @ts-check
// One way to drive any of the three engines: a page, files into an input, clicks, texts, downloads. Chromium and Firefox
// are driven by Playwright, WebKitGTK by tests/lib/webkit.mjs. Scenarios that must hold everywhere are written against
// `Driver`; what only one engine can do (throttling, routing) uses Playwright itself.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultTimeoutMs, newFileIn } from './downloads.mjs';
import { findEngine } from './engines.mjs';
import { launchWebKit } from './webkit.mjs';

/** @typedef {import('./engines.mjs').EngineName} EngineName */
/** @typedef {import('./downloads.mjs').Downloaded} Downloaded */
/** @typedef {import('./downloads.mjs').Patience} Patience */
/**
 * Functions given to `eval` and `waitFor` run in the page: they see their arguments, which must be JSON, and nothing else.
 * @typedef {object} Driver
 * @property {EngineName} engine
 * @property {(url: string) => Promise<void>} goto
 * @property {(selector: string) => Promise<void>} click
 * @property {(selector: string, text: string) => Promise<void>} fill replaces what is in the field
 * @property {(key: string) => Promise<void>} press in the focused element; a character or `Tab`, `Enter`, `ArrowDown` …
 * @property {(selector: string, files: string[]) => Promise<void>} setFiles absolute paths
 * @property {(selector: string) => Promise<string>} text
 * @property {(selector: string, text: string, patience?: Patience) => Promise<void>} waitForText until it contains `text`
 * @property {<A extends unknown[], R>(condition: (...args: A) => R, args: A, patience?: Patience) => Promise<R>} waitFor
 *   until it returns something truthy
 * @property {(trigger: () => Promise<unknown>, patience?: Patience) => Promise<Downloaded>} download
 * @property {<A extends unknown[], R>(action: (...args: A) => R, ...args: A) => Promise<Awaited<R>>} eval
 * @property {(width: number, height: number) => Promise<void>} resize
 * @property {() => Promise<Buffer>} screenshot PNG
 * @property {() => Promise<void>} close
 */
/**
 * What an engine must bring itself; the rest is the same for all.
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
      await sleep(50);
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

/**
 * @param {import('./engines.mjs').FoundEngine} found
 * @param {string} downloads
 * @returns {Promise<import('playwright').Browser>}
 */
async function launchPlaywright({ engine, binary }, downloads) {
  const { chromium, firefox } = await import('playwright');
  if (engine === 'firefox') {
    // The channel makes Playwright speak WebDriver BiDi, which a stock Firefox understands.
    return firefox.launch({ channel: 'moz-firefox', executablePath: binary, downloadsPath: downloads });
  }
  // Chromium's sandbox refuses to work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: binary, downloadsPath: downloads, args });
}

/**
 * @param {import('./engines.mjs').FoundEngine} found
 * @param {import('playwright').BrowserContextOptions} [context]
 * @returns {Promise<EngineDriver>}
 */
async function playwrightDriver(found, context = {}) {
  const { engine } = found;
  const downloads = fs.mkdtempSync(path.join(os.tmpdir(), `${engine}-downloads-`));
  const browser = await launchPlaywright(found, downloads);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context })).newPage();
  page.setDefaultTimeout(defaultTimeoutMs);

  /** @type {Driver['download']} */
  const download = async (trigger, patience) => {
    // Firefox reports no download of a blob: URL, but the file arrives in the folder.
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
    close: async () => {
      await browser.close();
      fs.rmSync(downloads, { recursive: true, force: true });
    },
  };
}

/**
 * @param {EngineName} engine
 * @param {{ context?: import('playwright').BrowserContextOptions }} [options] `context`: for Chromium and Firefox only
 * @returns {Promise<Driver>}
 */
export async function launch(engine, { context } = {}) {
  const found = findEngine(engine);
  if ('missing' in found) throw new Error(`${engine}: ${found.missing}`);
  return withWaiting(engine === 'webkit' ? await launchWebKit(found) : await playwrightDriver(found, context));
}
