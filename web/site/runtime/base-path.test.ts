// Addresses of a site in a folder of its domain.
import { expect, test, vi } from 'vitest';

vi.mock('../config.ts', async (original) => {
  const { site } = await original<typeof import('../config.ts')>();
  return { site: { ...site, basePath: '/tools' }, origin: 'https://a.example' };
});

test('base path: addresses contain it, paths do not', async () => {
  const { hrefOf, pageDataUrl, pathOf, queryUrl, canonicalHref } = await import('./paths.ts');
  expect(hrefOf('/en/')).toBe('/tools/en/');
  expect([pathOf('/tools/en'), pathOf('/tools/'), pathOf('/tools'), pathOf('/tools/404.html')]).toEqual([
    '/en/',
    '/',
    '/',
    '/404.html',
  ]);
  expect(canonicalHref('/tools/en?a#b')).toBe('/tools/en/?a#b');
  expect([pageDataUrl('/'), queryUrl('x')]).toEqual([
    '/tools/page-data/index/page-data.json',
    '/tools/page-data/sq/d/x.json',
  ]);
  // Another folder whose name has the same beginning.
  expect(pathOf('/toolshed/')).toBe('/toolshed/');
});
