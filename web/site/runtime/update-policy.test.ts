import { describe, expect, test } from 'vitest';
import type { SafeStorage } from '../../app/state/safe-storage.ts';
import { isMissingPart, UpdatePolicy } from './update-policy.ts';

function store(keeps = true): SafeStorage {
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

function policy({ session = store(), unsaved = false, isWorkerWaiting = false } = {}) {
  const log: string[] = [];
  const updates = new UpdatePolicy({
    build: 'b1',
    session,
    hasImages: () => unsaved,
    isWorkerWaiting: () => isWorkerWaiting,
    dropPages: () => void log.push('drop pages'),
    announceUpdate: () => void log.push('update notice'),
    leave: (href) => void log.push(`leave ${href}`),
    reload: () => void log.push('reload'),
  });
  return { updates, log };
}

describe('build hash differs → reload once', () => {
  function world(current: string | null, { session = store(), unsaved = false } = {}) {
    const { updates, log } = policy({ session, unsaved });
    return { start: () => updates.checkAtStart(() => Promise.resolve(current)), log, session };
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
    const { updates, log } = policy({ session, unsaved });
    return { recover: (reason: unknown) => updates.recover(reason, target), log };
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

describe('a navigation', () => {
  test('leaves for a waiting worker, unless there are images', () => {
    expect(policy().updates.leaveForWorker('/en/')).toBe(false);
    const empty = policy({ isWorkerWaiting: true });
    expect([empty.updates.leaveForWorker('/en/'), empty.log]).toEqual([true, ['leave /en/']]);
    const full = policy({ isWorkerWaiting: true, unsaved: true });
    expect([full.updates.leaveForWorker('/en/'), full.log]).toEqual([false, []]);
  });

  test('leaves for another build; with images it stays and says so', () => {
    for (const build of ['b1', null]) expect(policy().updates.leaveForBuild('/en/', build)).toBe(false);
    const empty = policy();
    expect([empty.updates.leaveForBuild('/en/', 'b2'), empty.log]).toEqual([true, ['drop pages', 'leave /en/']]);
    const full = policy({ unsaved: true });
    expect([full.updates.leaveForBuild('/en/', 'b2'), full.log]).toEqual([false, ['drop pages', 'update notice']]);
  });

  test('makes the next missing part recoverable again', () => {
    const session = store();
    const failure = new TypeError('Importing a module script failed.');
    const { updates, log } = policy({ session });
    updates.recover(failure, '/en/');
    updates.pageReached();
    updates.recover(failure, '/en/');
    expect(log).toEqual(['leave /en/', 'leave /en/']);
  });
});
