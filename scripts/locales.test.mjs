// @ts-check
import { describe, expect, test } from 'vitest';
import { compareMessages, pseudo, unusedKeys } from './locales.mjs';

describe('words in another language', () => {
  const english = { a: 'Save', b: '<b>{count, plural, one {# image} other {# images}}</b> in {name}' };

  test('with the same keys and braces are right, whatever their plural forms', () => {
    expect(compareMessages(english, { a: '保存', b: '{name} 中<b>{count, plural, other {# 张图片}}</b>' })).toEqual([]);
  });

  test('a missing key, one too many, and braces that differ are told', () => {
    expect(compareMessages(english, { b: '{number} images', c: 'x' })).toEqual([
      'a is missing',
      'c is not in en.json',
      'b has {number}, in English <b> {count} {name}',
    ]);
  });
});

test('a key that stands in no source is unused', () => {
  const sources = [
    "t('page.title')",
    'key: "page.lead"',
    '`page.skip`',
    'page.other',
    '`item.$' + '{phase}`',
    'light: choice(',
  ];
  expect(
    unusedKeys(
      ['page.title', 'page.lead', 'page.skip', 'page.other', 'item.done', 'item.done.now', 'light.auto'],
      sources,
    ),
  ).toEqual(['page.other', 'item.done.now']);
});

test('the pseudo-language is longer, marked, and keeps braces', () => {
  const text = pseudo('Save {name}');
  expect(text).toContain('"value":"name"');
  expect(text).toMatch(/Sávé\p{L}+ /u);
});
