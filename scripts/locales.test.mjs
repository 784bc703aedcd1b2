// @ts-check
import { describe, expect, test } from 'vitest';
import { compareMessages, pseudo, unusedKeys } from './locales.mjs';

describe('messages in another language', () => {
  const english = { a: 'Save', b: '<b>{count, plural, one {# image} other {# images}}</b> in {name}' };

  test('with the same keys and placeholders are valid with any plural forms', () => {
    expect(compareMessages(english, { a: '保存', b: '{name} 中<b>{count, plural, other {# 张图片}}</b>' })).toEqual([]);
  });

  test('missing keys, additional keys and different placeholders are reported', () => {
    expect(compareMessages(english, { b: '{number} images', c: 'x' })).toEqual([
      'a is missing',
      'c is not in en.json',
      'b has {number}, in English <b> {count} {name}',
    ]);
  });
});

test('a key that no source contains is unused', () => {
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

test('the pseudo-locale has longer words and marked letters, and keeps placeholders', () => {
  const text = pseudo('Save {name}');
  expect(text).toContain('"value":"name"');
  expect(text).toMatch(/Sávé\p{L}+ /u);
});
