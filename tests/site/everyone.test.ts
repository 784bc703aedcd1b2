// Tests every page with axe in each language and theme, without JavaScript, and for layout shifts during hydration.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../lib/browsers.mjs';
import { availableEngines } from '../lib/engines.mjs';
import { type Site, startSite } from './site.ts';

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = ['/', '/en/', '/zh-CN/', '/zh-TW/', '/privacy-policy/', '/licenses/', '/404.html', '/500.html'];
const [found] = availableEngines(['chromium']);

/** Returns the violated rules of axe with their elements. */
function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

describe.skipIf(found === undefined)('chromium', () => {
  let browser: Browser;
  let site: Site;
  /** The site with its service worker. */
  let offlineSite: Site;
  beforeAll(async () => {
    if (found !== undefined) browser = (await sharedBrowser(found)).browser;
    site = await startSite();
    offlineSite = await startSite({ serviceWorker: true });
  });
  afterAll(async () => {
    await site?.close();
    await offlineSite?.close();
  });

  const cases = pages.flatMap((url) =>
    (url === '/' || url === '/privacy-policy/' ? ['en-US', 'zh-CN', 'zh-TW'] : ['en-US']).map((locale) => ({
      url,
      locale,
    })),
  );
  test.each(cases)('axe finds no violation: $url, $locale, in both themes', async ({ url, locale }) => {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(site.url + url);
    await page.waitForFunction(() => performance.getEntriesByName('site:alive').length > 0);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await page.evaluate(axeSource);
    expect(await violations(page)).toEqual([]);
    await page.locator('header button[aria-pressed]').click();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
    expect(await violations(page)).toEqual([]);
    await context.close();
  });

  test.each(pages)('no JavaScript: %s is readable and complete', async (url) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(site.url + url);
    expect(await page.locator('h1').count()).toBe(1);
    expect(((await page.locator('main').textContent()) ?? '').length).toBeGreaterThan(40);
    expect(await page.locator('main p').first().isVisible()).toBe(true);
    expect(await page.locator('footer a').first().isVisible()).toBe(true);
    await context.close();
  });

  test.each(pages)('cumulative layout shift is 0 during hydration of %s, on a phone and a desktop', async (url) => {
    // Both in one context, which stores the files of the site once.
    const context = await browser.newContext();
    const shift = async (width: number, height: number) => {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      await page.goto(offlineSite.url + url);
      // The last change of the page: the footer shows that everything is stored.
      await page.locator('footer p svg').waitFor();
      await page.waitForTimeout(200);
      return page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const observer = new PerformanceObserver(() => undefined);
            observer.observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => {
              const entries = observer.takeRecords() as (PerformanceEntry & { value: number })[];
              resolve(entries.reduce((sum, { value }) => sum + value, 0));
            }, 50);
          }),
      );
    };
    const [phone, desktop] = await Promise.all([shift(390, 844), shift(1280, 900)]);
    expect({ phone, desktop }).toEqual({ phone: 0, desktop: 0 });
    await context.close();
  });

  test('policy: no page violates it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const broken: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/404/.test(message.text())) broken.push(message.text());
    });
    page.on('pageerror', (error) => broken.push(error.message));
    for (const url of pages) {
      await page.goto(site.url + url);
      await page.waitForFunction(() => performance.getEntriesByName('site:alive').length > 0);
    }
    expect(broken).toEqual([]);
    await context.close();
  });
});
