// The language that a visitor gets, in real engines. WebKitGTK is skipped, because it uses the language of the machine.
import { describe, expect, test } from 'vitest';
import { type Fixture, inEngines, once } from './in-engines.ts';
import { open, until } from './site.ts';

const languages: readonly (readonly [browser: string, locale: string, title: string])[] = [
  ['zh-CN', 'zh-CN', '在线调整图片大小'],
  ['zh-HK', 'zh-TW', '線上調整圖片大小'],
  ['de-AT', 'en', 'Resize Images Online'],
];

/** Opens a page without a fixed language and checks its language. */
async function expectHome({ driver, site }: Fixture, locale: string, title: string) {
  await open(driver, `${site.url}/`);
  await until(driver, (wanted: string) => document.documentElement.lang === wanted, locale);
  expect(await driver.text('main h1')).toBe(title);
  expect(await driver.eval(() => document.title)).toBe(`${title} | resize-images.example`);
  expect(await driver.eval(() => performance.getEntriesByName('site:not-as-rendered').length)).toBe(0);
  expect(await driver.eval(() => document.querySelector('header a')?.getAttribute('href'))).toBe(`/${locale}/`);
}

describe.each(languages)('locale selection: a browser in %s', (browser, locale, title) => {
  once(
    (fixture) => {
      test('shows / in its language, with its title and <html lang>', () => expectHome(fixture, locale, title));

      test('shows a page without a fixed language in its own language, and other pages in theirs', async () => {
        await open(fixture.driver, `${fixture.site.url}/privacy-policy/`);
        await until(fixture.driver, (wanted: string) => document.documentElement.lang === wanted, locale);
        await open(fixture.driver, `${fixture.site.url}/zh-CN/`);
        expect(await fixture.driver.text('main h1')).toBe('在线调整图片大小');
      });
    },
    { engines: ['chromium', 'firefox'], locale: browser },
  );
});

inEngines(
  'the language tags of a browser',
  (fixture) => {
    test('a browser in zh-HK shows / in zh-TW', () => expectHome(fixture, 'zh-TW', '線上調整圖片大小'));
  },
  { engines: ['firefox'], locale: 'zh-HK' },
);
