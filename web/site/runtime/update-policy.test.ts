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
  function setup(current: string | null, { session = store(), unsaved = false } = {}) {
    const { updates, log } = policy({ session, unsaved });
    return { start: () => updates.checkAtStart(() => Promise.resolve(current)), log, session };
  }

  test('at start: reloads once, also if the page starts several times', async () => {
    const { start, log } = setup('b2');
    await start();
    await start();
    await start();
    expect(log).toEqual(['drop pages', 'reload', 'drop pages', 'drop pages']);
  });

  test('an equal build removes the guard, so that the next deployment reloads again', async () => {
    const session = store();
    await setup('b2', { session }).start();
    await setup('b1', { session }).start();
    const next = setup('b3', { session });
    await next.start();
    expect(next.log).toContain('reload');
  });

  test('an equal or unknown build changes nothing', async () => {
    for (const current of ['b1', null]) {
      const { start, log } = setup(current);
      await start();
      expect(log).toEqual([]);
    }
  });

  test('with images: the update notice instead of a reload', async () => {
    const { start, log } = setup('b2', { unsaved: true });
    await start();
    expect(log).toEqual(['drop pages', 'update notice']);
  });

  test('without session storage there is no guard and no reload', async () => {
    const { start, log } = setup('b2', { session: store(false) });
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

  test('other errors are not chunk load failures', () => {
    for (const reason of [new Error('x is undefined'), undefined, null, 7, 'Loading failed']) {
      expect(isMissingPart(reason)).toBe(false);
    }
  });

  function setup({ session = store(), unsaved = false, target = '/en/' } = {}) {
    const { updates, log } = policy({ session, unsaved });
    return { recover: (reason: unknown) => updates.recover(reason, target), log };
  }
  const failure = new TypeError('Importing a module script failed.');

  test('navigates to the last known path', () => {
    const { recover, log } = setup();
    recover(failure);
    expect(log).toEqual(['leave /en/']);
  });

  test('session guard against loops: the same address only once', () => {
    const session = store();
    setup({ session }).recover(failure);
    const again = setup({ session });
    again.recover(failure);
    expect(again.log).toEqual([]);
    const elsewhere = setup({ session, target: '/zh-CN/' });
    elsewhere.recover(failure);
    expect(elsewhere.log).toEqual(['leave /zh-CN/']);
  });

  test('with images it stays and shows the update notice', () => {
    const { recover, log } = setup({ unsaved: true });
    recover(failure);
    expect(log).toEqual(['update notice']);
  });
});

describe('a navigation', () => {
  test('leaves the document for a waiting worker, unless there are images', () => {
    expect(policy().updates.leaveForWorker('/en/')).toBe(false);
    const empty = policy({ isWorkerWaiting: true });
    expect([empty.updates.leaveForWorker('/en/'), empty.log]).toEqual([true, ['leave /en/']]);
    const full = policy({ isWorkerWaiting: true, unsaved: true });
    expect([full.updates.leaveForWorker('/en/'), full.log]).toEqual([false, []]);
  });

  test('leaves the document for another build; with images it shows the update notice', () => {
    for (const build of ['b1', null]) expect(policy().updates.leaveForBuild('/en/', build)).toBe(false);
    const empty = policy();
    expect([empty.updates.leaveForBuild('/en/', 'b2'), empty.log]).toEqual([true, ['drop pages', 'leave /en/']]);
    const full = policy({ unsaved: true });
    expect([full.updates.leaveForBuild('/en/', 'b2'), full.log]).toEqual([false, ['drop pages', 'update notice']]);
  });

  test('allows recovery from the next missing part', () => {
    const session = store();
    const failure = new TypeError('Importing a module script failed.');
    const { updates, log } = policy({ session });
    updates.recover(failure, '/en/');
    updates.pageReached();
    updates.recover(failure, '/en/');
    expect(log).toEqual(['leave /en/', 'leave /en/']);
  });
});
