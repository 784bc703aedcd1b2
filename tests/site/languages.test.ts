// Languages in real engines: which one a reader gets, and that longer words find their place. WebKitGTK takes its
// language from the machine and is left out.
import { describe, expect, test } from 'vitest';
import { pseudo } from '../../scripts/locales.mjs';
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

/** Texts that reach beyond the box that cuts them off, and whether the page must be scrolled sideways. */
function clipped(): string[] {
  const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
    const { overflowX, clipPath } = getComputedStyle(element);
    const hidden = overflowX !== 'visible' && clipPath === 'none' && element.tagName !== 'INPUT';
    return hidden && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
  });
  const { scrollWidth, clientWidth } = document.documentElement;
  return [
    ...cut.map((element) => `${element.tagName} ${element.className}: ${element.textContent?.slice(0, 60)}`),
    ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : []),
  ];
}

describe('pseudo-locale', () => {
  inEngines(
    (bench) => {
      test.each([320, 390, 700, 1280])('longer words are not clipped, %d pixels wide', async (width) => {
        await bench.driver.resize(width, 800);
        const words = Object.entries(readMessages('en')).map(([key, text]) => [key, JSON.parse(pseudo(text))]);
        const { queries } = await (await fetch(`${bench.site.url}/page-data/en/page-data.json`)).json();
        await open(bench.driver, `${bench.site.url}/privacy-policy/`);
        const body = JSON.stringify(Object.fromEntries(words));
        bench.site.fault(`/sq/d/${queries.en.messages}.json`, { status: 200, body });
        await bench.driver.click('header a');
        await bench.driver.waitForText('main h1', 'Öñlíñé');
        expect(await bench.driver.eval(clipped)).toEqual([]);
        await bench.driver.resize(1280, 900);
      });
    },
    { engines: ['chromium'] },
  );
});

test('every message of every language can be formatted', () => {
  for (const locale of ['en', 'zh-CN', 'zh-TW']) {
    expect(Object.keys(compileMessages(readMessages(locale))).length).toBeGreaterThan(100);
  }
});
