// The smaller parts: start-up check, recovery, page views, addresses, storage.
import { describe, expect, test, vi } from 'vitest';
import { checkBuild } from './build-check.ts';
import { pageViewHook } from './page-view.ts';
import { pageDataUrl, pathOf } from './paths.ts';
import { isMissingPart, recoverer } from './recovery.ts';
import { type Store, tolerant } from './storage.ts';
import { mayRegister } from './worker-registration.ts';

function store(keeps = true): Store {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => {
      values.set(key, value);
      return keeps;
    },
    remove: (key) => void values.delete(key),
  };
}

describe('build hash differs → reload once', () => {
  function world(current: string | null, { session = store(), unsaved = false } = {}) {
    const log: string[] = [];
    const start = () =>
      checkBuild({
        build: 'b1',
        currentBuild: () => Promise.resolve(current),
        session,
        hasImages: () => unsaved,
        reload: () => void log.push('reload'),
        dropPages: () => void log.push('drop pages'),
        announceUpdate: () => void log.push('update notice'),
      });
    return { start, log, session };
  }

  test('at start: once, however often the page starts', async () => {
    const { start, log } = world('b2');
    await start();
    await start();
    await start();
    expect(log).toEqual(['drop pages', 'reload', 'drop pages', 'drop pages']);
  });

  test('the guard is removed when equal, so that the next deployment reloads again', async () => {
    const session = store();
    await world('b2', { session }).start();
    await world('b1', { session }).start();
    const next = world('b3', { session });
    await next.start();
    expect(next.log).toContain('reload');
  });

  test('equal or unknown: nothing happens', async () => {
    for (const current of ['b1', null]) {
      const { start, log } = world(current);
      await start();
      expect(log).toEqual([]);
    }
  });

  test('never while images are unsaved: the update notice', async () => {
    const { start, log } = world('b2', { unsaved: true });
    await start();
    expect(log).toEqual(['drop pages', 'update notice']);
  });

  test('without session storage there is no guard, so no reload', async () => {
    const { start, log } = world('b2', { session: store(false) });
    await start();
    expect(log).not.toContain('reload');
  });
});

describe('chunk load failure', () => {
  test.each([
    'Loading chunk 12 failed.',
    'Loading CSS chunk home failed',
    'Failed to fetch dynamically imported module: https://a.example/assets/x.js',
    'error loading dynamically imported module: https://a.example/assets/x.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/x.css',
  ])('%s', (message) => {
    expect(isMissingPart(new TypeError(message))).toBe(true);
    expect(isMissingPart(message)).toBe(true);
  });

  test('anything else is none', () => {
    for (const reason of [new Error('x is undefined'), undefined, null, 7, 'Loading failed']) {
      expect(isMissingPart(reason)).toBe(false);
    }
  });

  function world({ session = store(), unsaved = false, target = '/en/' } = {}) {
    const log: string[] = [];
    const recover = recoverer({
      session,
      lastHref: () => target,
      hasImages: () => unsaved,
      leave: (href) => void log.push(`leave ${href}`),
      announceUpdate: () => void log.push('update notice'),
    });
    return { recover, log };
  }
  const failure = new TypeError('Importing a module script failed.');

  test('navigates to the last known path', () => {
    const { recover, log } = world();
    recover(failure);
    expect(log).toEqual(['leave /en/']);
  });

  test('session guard against loops: the same address only once', () => {
    const session = store();
    world({ session }).recover(failure);
    const again = world({ session });
    again.recover(failure);
    expect(again.log).toEqual([]);
    const elsewhere = world({ session, target: '/zh-CN/' });
    elsewhere.recover(failure);
    expect(elsewhere.log).toEqual(['leave /zh-CN/']);
  });

  test('with unsaved images it says so and stays', () => {
    const { recover, log } = world({ unsaved: true });
    recover(failure);
    expect(log).toEqual(['update notice']);
  });
});

describe('analytics page view', () => {
  const analytics = { id: 'X-1', collect: '/collect' } as const;
  const view = { path: '/en/', locale: 'en' } as const;

  test('sends path and locale to the one id, nothing else', () => {
    const send = vi.fn();
    pageViewHook({ analytics, isRefused: false, send })(view);
    expect(send.mock.calls).toEqual([['/collect?id=X-1&path=%2Fen%2F&locale=en']]);
  });

  test('no id → no request; a refusal → no request', () => {
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
  ])('trailing-slash paths: %s means %s', (href, path) => {
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

test('service worker registered on https or localhost only', () => {
  const may = (url: string) => mayRegister(new URL(url) as unknown as Location);
  expect(may('https://a.example/')).toBe(true);
  expect(may('http://localhost:4173/')).toBe(true);
  expect(may('http://127.0.0.1/')).toBe(true);
  expect(may('http://[::1]/')).toBe(true);
  expect(may('http://a.example/')).toBe(false);
  expect(may('http://localhost.a.example/')).toBe(false);
});

test('blocked storage works for the session', () => {
  const blocked = tolerant(() => {
    throw new Error('blocked');
  });
  expect(blocked.set('theme', 'dark')).toBe(false);
  expect(blocked.get('theme')).toBe('dark');
  blocked.remove('theme');
  expect(blocked.get('theme')).toBeNull();
});
