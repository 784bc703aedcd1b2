// Page views, addresses, and the registration of the service worker.
import { describe, expect, test, vi } from 'vitest';
import { pageViewHook } from './page-view.ts';
import { pageDataUrl, pathOf } from './paths.ts';
import { mayRegister } from './worker-registration.ts';

describe('analytics page view', () => {
  const analytics = { id: 'X-1', collect: '/collect' } as const;
  const view = { path: '/en/', locale: 'en' } as const;

  test('sends only id, path and locale', () => {
    const send = vi.fn();
    pageViewHook({ analytics, isRefused: false, send })(view);
    expect(send.mock.calls).toEqual([['/collect?id=X-1&path=%2Fen%2F&locale=en']]);
  });

  test('sends no request without an id or after a refusal', () => {
    const send = vi.fn();
    pageViewHook({ analytics: null, isRefused: false, send })(view);
    pageViewHook({ analytics, isRefused: true, send })(view);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('addresses', () => {
  test.each([
    ['/', '/'],
    ['/index.html', '/'],
    ['/en', '/en/'],
    ['/en/', '/en/'],
    ['/en/index.html', '/en/'],
    ['/en?a=/b/#c', '/en/'],
    ['/404.html', '/404.html'],
    ['/500.html?x', '/500.html'],
    ['', '/'],
    ['/%E0%A4%A', '/%E0%A4%A/'],
  ])('trailing-slash paths: %s has the path %s', (href, path) => {
    expect(pathOf(href)).toBe(path);
  });

  test.each([
    ['/', '/page-data/index/page-data.json'],
    ['/en/', '/page-data/en/page-data.json'],
    ['/a/b/', '/page-data/a/b/page-data.json'],
    ['/404.html', '/page-data/404.html/page-data.json'],
  ])('per-page data file: %s → %s', (path, url) => {
    expect(pageDataUrl(path)).toBe(url);
  });
});

test('the service worker is registered only on https or localhost', () => {
  const may = (url: string) => mayRegister(new URL(url) as unknown as Location);
  expect(may('https://a.example/')).toBe(true);
  expect(may('http://localhost:4173/')).toBe(true);
  expect(may('http://127.0.0.1/')).toBe(true);
  expect(may('http://[::1]/')).toBe(true);
  expect(may('http://a.example/')).toBe(false);
  expect(may('http://localhost.a.example/')).toBe(false);
});
