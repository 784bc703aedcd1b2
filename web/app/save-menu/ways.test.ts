import { describe, expect, it } from 'vitest';
import { type Abilities, isAppleDevice, waysFor } from './ways.ts';

const NOTHING: Abilities = { folders: false, sharing: false, photos: false, copying: false };
const CHROME: Abilities = { folders: true, sharing: true, photos: false, copying: true };
const IPHONE: Abilities = { folders: false, sharing: true, photos: true, copying: true };

describe('the ways to save', () => {
  it.each([
    ['a browser without abilities, one file', 1, false, NOTHING, ['zip', 'csv', 'json']],
    ['a browser without abilities, several files', 3, false, NOTHING, ['zip', 'each', 'csv', 'json']],
    ['Chrome, one file', 1, false, CHROME, ['zip', 'folder', 'share', 'copy', 'csv', 'json']],
    ['Chrome, several files', 2, false, CHROME, ['zip', 'folder', 'each', 'share', 'csv', 'json']],
    ['an iPhone, one file', 1, false, IPHONE, ['photos', 'zip', 'copy', 'csv', 'json']],
    ['an iPhone, several files', 60, false, IPHONE, ['photos', 'zip', 'each', 'csv', 'json']],
    ['Chrome, several widths', 2, true, CHROME, ['zip', 'folder', 'each', 'share', 'srcset', 'csv', 'json']],
    ['no file', 0, false, CHROME, []],
  ])('of %s', (_, files, inWidths, can, ways) => {
    expect(waysFor(files, inWidths, can)).toEqual(ways);
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
