// Behaviour that depends on the visitor's browser: connections, robots, blocked storage, clocks, files from outside.
// Playwright drives Chromium and Firefox, with a context for each visitor.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, firefox, type Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../lib/browsers.mjs';
import { availableEngines, isWholeMatrix, launchOptions, wholeChromium } from '../lib/engines.mjs';
import { pause, type Site, siteDir, startSite } from './site.ts';

const PRIVACY = 'footer a[href="/privacy-policy/"]';
const DATA = 'GET /page-data/privacy-policy/page-data.json';
const BATCH_MS = 3000;

const alive = (page: Page) => page.waitForFunction(() => performance.getEntriesByName('site:alive').length > 0);

/** Makes a profile in which the visitor has blocked storage for all sites. */
function blockedProfile(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'blocked-'));
  fs.mkdirSync(path.join(folder, 'Default'));
  const profile = { default_content_setting_values: { cookies: 2 } };
  fs.writeFileSync(path.join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }));
  return folder;
}

/** The same for Firefox, for which no profile can be prepared. */
const blockedPreferences = { firefoxUserPrefs: { 'network.cookie.cookieBehavior': 2 } };

/** An address of this machine that is not `localhost`, so http is not a secure context. */
const plainHost = Object.values(os.networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
if (plainHost === undefined) process.stderr.write('!! no address but localhost: a plain http host is NOT tested\n');

describe.each(availableEngines(['chromium', 'firefox']))('$engine', (found) => {
  const type = found.engine === 'firefox' ? firefox : chromium;
  /** Runs a test in Chromium only, because its result does not depend on the engine; in both with `npm test -- all`. */
  const once = test.runIf(found.engine === 'chromium' || isWholeMatrix);
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    ({ browser } = await sharedBrowser(found));
  });
  beforeEach(async () => {
    site = await startSite();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await site.close();
  });

  async function reader(options: BrowserContextOptions = {}, connection?: object): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', ...options });
    const page = await context.newPage();
    if (connection !== undefined) {
      await page.addInitScript((value) => {
        Object.defineProperty(navigator, 'connection', { value });
      }, connection);
    }
    return page;
  }
  const fetched = (page: Page) =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('privacy')).length);

  describe('prefetch', () => {
    once('is skipped on 2g, with Save-Data and for robots; other connections prefetch', async () => {
      const readers = {
        'slow-2g': await reader({}, { effectiveType: 'slow-2g', saveData: false }),
        '2g': await reader({}, { effectiveType: '2g', saveData: false }),
        'Save-Data': await reader({}, { effectiveType: '4g', saveData: true }),
        robot: await reader({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }),
        '4g': await reader({}, { effectiveType: '4g', saveData: false }),
        silent: await reader(),
      };
      for (const page of Object.values(readers)) {
        await page.goto(`${site.url}/en/`);
        await alive(page);
        await page.locator('footer').scrollIntoViewIfNeeded();
      }
      await expect.poll(() => fetched(readers.silent), { timeout: 15_000 }).toBeGreaterThan(1);
      const counts = Object.entries(readers).map(async ([name, page]) => [name, (await fetched(page)) > 0]);
      expect(Object.fromEntries(await Promise.all(counts))).toEqual({
        'slow-2g': false,
        '2g': false,
        'Save-Data': false,
        robot: false,
        '4g': true,
        silent: true,
      });
    });

    once('hover loads at once, also if prefetching is skipped; the click then sends no request', async () => {
      const page = await reader({}, { effectiveType: '2g', saveData: true });
      await page.goto(`${site.url}/en/`);
      await alive(page);
      await page.locator(PRIVACY).scrollIntoViewIfNeeded();
      await pause(300);
      expect(site.count(DATA)).toBe(0);
      const before = Date.now();
      await page.hover(PRIVACY);
      await expect.poll(() => fetched(page), { interval: 20 }).toBeGreaterThan(1);
      expect(Date.now() - before).toBeLessThan(BATCH_MS - 500);
      await pause(300);
      site.forget();
      await page.click(PRIVACY);
      await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor();
      // Firefox and Chromium can request the page's icon at any time.
      expect(site.requests().filter((request) => !request.includes('/icons/'))).toEqual([]);
    });

    once('batches of 4, each 3 s after the end of the previous one', async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      // A policy with six links to existing pages. The footer has a seventh, which becomes visible first.
      const { queries, ...rest } = JSON.parse(
        fs.readFileSync(path.join(siteDir, 'page-data/privacy-policy/page-data.json'), 'utf8'),
      );
      const links = names.map((name) => ({ tag: 'a', href: `/${name}/`, children: [name] }));
      const policy = {
        title: 'Links',
        updated: '2026-01-01',
        updatedText: 'now',
        body: [{ tag: 'p', children: links }],
      };
      site.fault(`/sq/d/${queries.en.policy}.json`, { status: 200, body: JSON.stringify(policy) });
      for (const name of names) {
        const body = JSON.stringify({ ...rest, queries, path: `/${name}/` });
        // One of the first four is slow.
        site.fault(`/page-data/${name}/`, { status: 200, body, ...(name === 'c' ? { delayMs: 1500 } : {}) });
      }
      const page = await reader();
      await page.goto(`${site.url}/en/`);
      await alive(page);
      await page.evaluate(() => document.querySelector<HTMLElement>('footer a')?.click());
      await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
      const seenAt = await page.evaluate(() => performance.now());
      const times = () =>
        page.evaluate(() => {
          const pages = /\/page-data\/([a-f]|licenses)\/page-data\.json$/;
          const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
          return entries
            .filter(({ name }) => pages.test(name))
            .map(({ name, startTime, responseEnd }) => ({ name: pages.exec(name)?.[1], startTime, responseEnd }))
            .sort((one, other) => one.startTime - other.startTime);
        });
      await expect.poll(async () => (await times()).length, { timeout: 20_000 }).toBe(names.length + 1);
      const all = await times();
      const [first, second] = [all.slice(0, 4), all.slice(4)];
      expect(first.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'licenses']);
      const starts = first.map(({ startTime }) => startTime);
      expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(500);
      expect(Math.min(...starts) - seenAt).toBeGreaterThan(BATCH_MS - 300);
      const finished = Math.max(...first.map(({ responseEnd }) => responseEnd));
      expect(finished - Math.min(...starts)).toBeGreaterThan(1400);
      const gaps = second.map(({ startTime }) => startTime - finished);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(BATCH_MS - 5);
      expect(Math.max(...gaps)).toBeLessThan(BATCH_MS + 2500);
    });
  });

  once('type-ahead: a search ends exactly 350 ms after the last letter', async () => {
    const page = await reader();
    await page.goto(`${site.url}/zh-CN/`);
    await alive(page);
    await page.clock.install();
    await page.click('header button[aria-haspopup=menu]');
    await page.locator('[role=menu]').waitFor();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    /** Dispatches the event of a keyboard that has this letter. */
    const type = (key: string) =>
      page.evaluate(
        (letter) =>
          document
            .querySelector('[role=menu]')
            ?.dispatchEvent(new KeyboardEvent('keydown', { key: letter, bubbles: true, cancelable: true })),
        key,
      );
    const active = () =>
      page.evaluate(() => {
        const id = document.querySelector('[role=menu]')?.getAttribute('aria-activedescendant');
        return document.getElementById(id ?? '')?.textContent ?? null;
      });
    await type('繁');
    await expect.poll(active).toBe('繁體中文');
    await page.clock.runFor(349);
    await type('e'); // continues the search: no entry begins with 繁e
    expect(await active()).toBe('繁體中文');
    await page.clock.runFor(349);
    await type('e');
    expect(await active()).toBe('繁體中文');
    await page.clock.runFor(350);
    await type('e');
    await expect.poll(active).toBe('English');
  });

  once('images with which the installed app is opened are added', async () => {
    await site.close();
    site = await startSite({ serviceWorker: true });
    const page = await reader();
    // A headless browser cannot open files, so this replaces the launch queue. The file handles are real.
    await page.addInitScript(() => {
      const consumers: ((launch: object) => void)[] = [];
      const launchQueue = { setConsumer: (take: (launch: object) => void) => void consumers.push(take) };
      Object.defineProperty(window, 'launchQueue', { value: launchQueue });
      Object.assign(window, { consumers });
    });
    await page.goto(`${site.url}/en/`);
    await page.waitForFunction(() => (window as unknown as { consumers: unknown[] }).consumers.length === 1);
    await page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('opened.png', { create: true });
      const canvas = new OffscreenCanvas(30, 20);
      canvas.getContext('2d');
      const stream = await handle.createWritable();
      await stream.write(await canvas.convertToBlob({ type: 'image/png' }));
      await stream.close();
      const { consumers } = window as unknown as { consumers: ((launch: object) => void)[] };
      consumers[0]?.({ files: [handle] });
    });
    await page.getByText('opened.png').first().waitFor();
    await page.getByText('30 × 20').first().waitFor();
  });

  test.runIf(found.engine === 'chromium')('the launch queue exists', async () => {
    const page = await reader();
    await page.goto(`${site.url}/en/`);
    expect(await page.evaluate(() => 'launchQueue' in window && 'setConsumer' in Object(window['launchQueue']))).toBe(
      true,
    );
  });

  // The headless shell of Chromium knows no settings of a profile.
  const withSettings = found.engine === 'chromium' ? wholeChromium() : found;
  test.skipIf(withSettings === undefined)('blocked storage: theme and navigation work, without errors', async () => {
    await site.close();
    site = await startSite({ serviceWorker: true });
    const profile = blockedProfile();
    const options = { ...launchOptions(withSettings ?? found), ...blockedPreferences, locale: 'en-US' };
    const context = await type.launchPersistentContext(profile, options);
    try {
      const page = await context.newPage();
      // Errors are collected in the page, because Firefox also logs errors that the page has handled.
      await page.addInitScript(() => {
        const broken: string[] = [];
        Object.assign(window, { broken });
        addEventListener('error', ({ message }) => broken.push(message));
        addEventListener('unhandledrejection', ({ reason }) => broken.push(String(reason)));
      });
      await page.goto(`${site.url}/en/`);
      await alive(page);
      const isBlocked = await page.evaluate(() => {
        try {
          return localStorage === null;
        } catch {
          return true;
        }
      });
      expect(isBlocked).toBe(true);
      await page.click('header button[aria-pressed]');
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
      expect(await isDark()).toBe(true);
      await page.click(PRIVACY);
      await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor();
      expect(await isDark()).toBe(true);
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Resize Images Online' }).waitFor();
      await pause(500);
      expect(await page.evaluate(() => (window as unknown as { broken: string[] }).broken)).toEqual([]);
    } finally {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  test.skipIf(plainHost === undefined || (found.engine === 'firefox' && !isWholeMatrix))(
    'service worker on https or localhost only',
    async () => {
      await site.close();
      site = await startSite({ serviceWorker: true, host: '0.0.0.0' });
      const { port } = new URL(site.url);
      const page = await reader();
      await page.goto(`http://${plainHost}:${port}/en/`);
      await alive(page);
      await page.click(PRIVACY);
      await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor();
      await pause(1500);
      expect(site.count('GET /sw.js')).toBe(0);
      await page.goto(`http://localhost:${port}/en/`);
      await page.locator('footer').getByText('Ready for offline use').waitFor();
      expect(site.count('GET /sw.js')).toBe(1);
    },
  );
});
