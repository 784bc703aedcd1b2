// Languages in real engines: which one a reader gets. WebKitGTK takes its language from the machine and is left out.
import { describe, expect, test } from 'vitest';
import { compileMessages, readMessages } from '../../scripts/messages.mjs';
import { inEngines } from './in-engines.ts';
import { open, until } from './site.ts';

const chosen: readonly (readonly [browser: string, locale: string, title: string])[] = [
  ['zh-CN', 'zh-CN', '在线调整图片大小'],
  ['zh-HK', 'zh-TW', '線上調整圖片大小'],
  ['de-AT', 'en', 'Resize Images Online'],
];

describe.each(chosen)('locale selection: a browser in %s', (browser, locale, title) => {
  inEngines(
    (bench) => {
      test('reads / in its language; the title and <html lang> follow', async () => {
        await open(bench.driver, `${bench.site.url}/`);
        await until(bench.driver, (wanted: string) => document.documentElement.lang === wanted, locale);
        expect(await bench.driver.text('main h1')).toBe(title);
        expect(await bench.driver.eval(() => document.title)).toBe(`${title} | resize-images.example`);
        expect(await bench.driver.eval(() => performance.getEntriesByName('site:not-as-rendered').length)).toBe(0);
        expect(await bench.driver.eval(() => document.querySelector('header a')?.getAttribute('href'))).toBe(
          `/${locale}/`,
        );
      });

      test('reads the frame of a page without a language in its own, and a page with one in that', async () => {
        await open(bench.driver, `${bench.site.url}/privacy-policy/`);
        await until(bench.driver, (wanted: string) => document.documentElement.lang === wanted, locale);
        await open(bench.driver, `${bench.site.url}/zh-CN/`);
        expect(await bench.driver.text('main h1')).toBe('在线调整图片大小');
      });
    },
    { engines: ['chromium', 'firefox'], locale: browser },
  );
});

test('every message of every language can be formatted', () => {
  for (const locale of ['en', 'zh-CN', 'zh-TW']) {
    expect(Object.keys(compileMessages(readMessages(locale))).length).toBeGreaterThan(100);
  }
});
