import { describe, expect, it } from 'vitest';
import { type Abilities, isAppleDevice, type Snippet, waysFor } from './ways.ts';

const NOTHING: Abilities = { folders: false, sharing: false, photos: false, copying: false };
const CHROME: Abilities = { folders: true, sharing: true, photos: false, copying: true };
const IPHONE: Abilities = { folders: false, sharing: true, photos: true, copying: true };

describe('the ways to save', () => {
  it.each<[string, number, Snippet, Abilities, string[]]>([
    ['a browser without abilities, one file', 1, 'none', NOTHING, ['zip', 'csv', 'json']],
    ['a browser without abilities, several files', 3, 'none', NOTHING, ['zip', 'each', 'csv', 'json']],
    ['Chrome, one file', 1, 'none', CHROME, ['zip', 'folder', 'share', 'copy', 'csv', 'json']],
    ['Chrome, several files', 2, 'none', CHROME, ['zip', 'folder', 'each', 'share', 'csv', 'json']],
    ['an iPhone, one file', 1, 'none', IPHONE, ['photos', 'zip', 'copy', 'csv', 'json']],
    ['an iPhone, several files', 60, 'none', IPHONE, ['photos', 'zip', 'each', 'csv', 'json']],
    ['Chrome, several widths', 2, 'srcset', CHROME, ['zip', 'folder', 'each', 'share', 'srcset', 'csv', 'json']],
    [
      'Chrome, the icons of an app',
      5,
      'appIcons',
      CHROME,
      ['zip', 'folder', 'each', 'share', 'appIcons', 'csv', 'json'],
    ],
    ['no file', 0, 'none', CHROME, []],
  ])('of %s', (_, files, snippet, can, ways) => {
    expect(waysFor(files, snippet, can)).toEqual(ways);
  });
});

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (an iPad)', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (a Mac)', 0, false],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36', 5, false],
])('%s with %i touches is an iPhone or an iPad: %s', (userAgent, maxTouchPoints, expected) => {
  expect(isAppleDevice({ userAgent, maxTouchPoints })).toBe(expected);
});
