import { describe, expect, test } from 'vitest';
import { type Locale, selectLocale } from './locales.ts';

describe('locale selection', () => {
  test.each<[string | undefined, Locale]>([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['en_US', 'en'],
    ['zh-CN', 'zh-CN'],
    ['zh-TW', 'zh-TW'],
    ['zh-tw', 'zh-TW'],
    ['zh', 'zh-CN'],
    ['zh-Hans', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh_SG', 'zh-CN'],
    ['zh-HK', 'zh-TW'],
    ['zh-MO', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-HK', 'zh-TW'],
    ['de-AT', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('for the browser language %s the page is in %s', (language, locale) => {
    expect(selectLocale(null, language)).toBe(locale);
  });

  test('a fixed language of the page has priority', () => {
    expect(selectLocale('zh-TW', 'en-US')).toBe('zh-TW');
  });
});
