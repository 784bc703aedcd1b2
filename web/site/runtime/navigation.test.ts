import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { safeStorage } from '../../app/state/safe-storage.ts';
import type { Browser } from './browser.ts';
import type { LoadedPage, PageResult } from './loader.ts';
import { Navigation } from './navigation.ts';
import { pathOf } from './paths.ts';
import { createScrollMemory } from './scroll.ts';
import { UpdatePolicy } from './update-policy.ts';

function page(path: string, build: string | null = 'b1'): LoadedPage {
  return {
    data: { path, page: 'home', locale: 'en', queries: {} },
    locale: 'en',
    queries: { messages: {} },
    Component: () => null,
    build,
  };
}

interface Entry {
  href: string;
  entry: string;
}

/** Makes a browser that records all calls. */
function fakeBrowser() {
  const log: string[] = [];
  const history: Entry[] = [{ href: '/', entry: '' }];
  let at = 0;
  let y = 0;
  const here = () => history[at] ?? { href: '', entry: '' };
  const browser: Browser = {
    href: () => here().href,
    entry: () => here().entry,
    push: (href, entry) => {
      log.push(`push ${href}`);
      history.splice(++at, Number.POSITIVE_INFINITY, { href, entry });
    },
    replace: (href, entry) => {
      log.push(`replace ${href}`);
      history[at] = { href, entry };
    },
    leave: (href) => void log.push(`leave ${href}`),
    reload: () => void log.push('reload'),
    scrollY: () => y,
  };
  const move = (steps: number) => {
    at += steps;
  };
  const scrollTo = (to: number) => {
    y = to;
  };
  return { browser, log, move, scrollTo };
}

type Answers = Record<string, () => Promise<PageResult>>;
const ready = (path: string, build?: string | null): Promise<PageResult> =>
  Promise.resolve({ status: 'ready', page: page(path, build) });

function setup(answers: Answers = {}, state = { unsaved: false, workerWaiting: false }) {
  const { browser, log, move, scrollTo } = fakeBrowser();
  const session = safeStorage(() => {
    throw new Error('blocked');
  });
  const loads: string[] = [];
  const navigation = new Navigation(
    {
      browser,
      loader: {
        known: () => undefined,
        load: (href) => {
          loads.push(href);
          return (answers[pathOf(href)] ?? (() => ready(pathOf(href))))();
        },
      },
      scroll: createScrollMemory(session),
      updates: new UpdatePolicy({
        build: 'b1',
        session,
        hasImages: () => state.unsaved,
        isWorkerWaiting: () => state.workerWaiting,
        dropPages: () => void log.push('drop pages'),
        announceUpdate: () => void log.push('update notice'),
        leave: browser.leave,
        reload: browser.reload,
      }),
    },
    page('/'),
  );
  log.length = 0;
  const shown = () => navigation.route.get();
  return { navigation, log, loads, move, scrollTo, shown };
}

/** Makes a promise that the test resolves. */
function deferred() {
  let resolve: (result: PageResult) => void = () => undefined;
  const promise = new Promise<PageResult>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('route change', () => {
  test('a link pushes its address after its page was loaded', async () => {
    const { navigation, log, shown } = setup();
    await navigation.go('/en/?a#b');
    expect(log).toEqual(['push /en/?a#b']);
    expect(shown()).toMatchObject({ href: '/en/?a#b', arrival: { by: 'link' }, page: { data: { path: '/en/' } } });
  });

  test('a fragment of the same page loads nothing', async () => {
    const { navigation, log, loads } = setup();
    await navigation.go('/#faq');
    expect(log).toEqual(['push /#faq']);
    expect(loads).toEqual([]);
  });

  test('the current address is not pushed again', async () => {
    const { navigation, log } = setup();
    await navigation.go('/');
    expect(log).toEqual(['replace /']);
  });

  test('each history entry restores its scroll position', async () => {
    const { navigation, move, scrollTo, shown } = setup();
    scrollTo(700);
    await navigation.go('/en/');
    scrollTo(300);
    move(-1);
    await navigation.restore();
    expect(shown()).toMatchObject({ href: '/', arrival: { by: 'history', scrollTo: 700 } });
    move(1);
    await navigation.restore();
    expect(shown()).toMatchObject({ href: '/en/', arrival: { by: 'history', scrollTo: 300 } });
  });

  test('trailing-slash paths: /en is accepted and becomes /en/', async () => {
    const { navigation, log } = setup();
    await navigation.go('/en?a#b');
    expect(log).toEqual(['push /en/?a#b']);
  });

  test('the address of an unknown page is not changed', async () => {
    const lost = page('/404.html');
    const { navigation, log } = setup({ '/lost/': () => Promise.resolve({ status: 'ready', page: lost }) });
    await navigation.go('/lost');
    expect(log).toEqual(['push /lost']);
  });

  test('a later navigation replaces an earlier one that is still loading', async () => {
    const slow = deferred();
    const { navigation, log, shown } = setup({ '/slow/': () => slow.promise });
    const first = navigation.go('/slow/');
    await navigation.go('/en/');
    slow.resolve({ status: 'ready', page: page('/slow/') });
    await first;
    expect(shown().href).toBe('/en/');
    expect(log).toEqual(['push /en/']);
  });
});

describe('delayed-route notice after 1 s', () => {
  test('is shown after one second and hidden when the page is loaded', async () => {
    const slow = deferred();
    const { navigation } = setup({ '/slow/': () => slow.promise });
    const step = navigation.go('/slow/');
    await vi.advanceTimersByTimeAsync(999);
    expect(navigation.isSlow.get()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(navigation.isSlow.get()).toBe(true);
    slow.resolve({ status: 'ready', page: page('/slow/') });
    await step;
    expect(navigation.isSlow.get()).toBe(false);
  });

  test('is not shown for a fast page: the timer is cleared', async () => {
    const { navigation } = setup();
    await navigation.go('/en/');
    expect(vi.getTimerCount()).toBe(0);
    expect(navigation.isSlow.get()).toBe(false);
  });
});

describe('page fails to load', () => {
  const failing: Answers = { '/en/': () => Promise.resolve({ status: 'error', cause: 'test' }) };

  test('replaceState with the current address, then a full navigation', async () => {
    const { navigation, log, shown } = setup(failing);
    await navigation.go('/en/');
    expect(log).toEqual(['replace /', 'leave /en/']);
    expect(shown().href).toBe('/');
  });

  test('going back to a page that fails is a full navigation too', async () => {
    const { navigation, log, move } = setup({ '/': () => Promise.resolve({ status: 'error', cause: 'test' }) });
    await navigation.go('/en/');
    move(-1);
    await navigation.restore();
    expect(log).toEqual(['push /en/', 'replace /', 'leave /']);
  });
});

describe('build hash differs on navigation', () => {
  const newer: Answers = { '/en/': () => ready('/en/', 'b2') };

  test('full navigation to the target, and the service worker deletes its pages', async () => {
    const { navigation, log } = setup(newer);
    await navigation.go('/en/?q#h');
    expect(log).toEqual(['drop pages', 'leave /en/?q#h']);
  });

  test('with images: the page is shown with the update notice', async () => {
    const { navigation, log } = setup(newer, { unsaved: true, workerWaiting: false });
    await navigation.go('/en/');
    expect(log).toEqual(['drop pages', 'update notice', 'push /en/']);
  });

  test('an unknown build of the server changes nothing', async () => {
    const { navigation, log } = setup({ '/en/': () => ready('/en/', null) });
    await navigation.go('/en/');
    expect(log).toEqual(['push /en/']);
  });
});

describe('service worker update found → next navigation is a full load', () => {
  test('without loading the page', async () => {
    const { navigation, log, loads } = setup({}, { unsaved: false, workerWaiting: true });
    await navigation.go('/en/');
    expect(log).toEqual(['leave /en/']);
    expect(loads).toEqual([]);
  });

  test('but not with images', async () => {
    const { navigation, log } = setup({}, { unsaved: true, workerWaiting: true });
    await navigation.go('/en/');
    expect(log).toEqual(['push /en/']);
  });
});
