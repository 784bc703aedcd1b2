import { beforeEach, describe, expect, it } from 'vitest';
import { countItems } from './count-items.ts';
import type { Counts } from './counts.ts';
import { Notifications } from './notifications.ts';
import type { Status } from './queue.ts';
import type { RunState } from './run.ts';
import { RunAnnouncer } from './run-announcer.ts';
import { recipeFor } from './testing/recipes.ts';

const NONE = countItems([], null);
let now = 0;
let notifications: Notifications;
let announcer: RunAnnouncer;

function update(counts: Partial<Counts>, run: RunState): void {
  announcer.onStatus({ counts: { ...NONE, ...counts }, run });
}

const polite = () => notifications.polite.get().messages;
const assertive = () => notifications.assertive.get().messages;

beforeEach(() => {
  now = 1_000_000;
  notifications = new Notifications();
  const first: Status = { counts: NONE, run: { state: 'none' } };
  announcer = new RunAnnouncer(notifications, () => now, first);
});

describe('added files', () => {
  it('are announced once, after the last header', () => {
    update({ total: 24, reading: 24 }, { state: 'none' });
    update({ total: 24, reading: 3 }, { state: 'none' });
    expect(polite()).toEqual([]);
    update({ total: 24, pending: 24 }, { state: 'none' });
    expect(polite()).toEqual([{ key: 'status.added', values: { count: 24 } }]);
  });

  it('are counted without earlier files, with the number of unusable ones', () => {
    update({ total: 2, reading: 2 }, { state: 'none' });
    update({ total: 2, pending: 2 }, { state: 'none' });
    update({ total: 5, reading: 3, pending: 2 }, { state: 'none' });
    update({ total: 5, pending: 4, failed: 1, unusable: 1 }, { state: 'none' });
    expect(polite()).toEqual([
      { key: 'status.added', values: { count: 3 } },
      { key: 'status.unusable', values: { count: 1 } },
    ]);
  });
});

describe('a run', () => {
  it('that ends at once is announced', () => {
    update({ total: 1, kept: 1 }, { state: 'finished' });
    expect(polite()).toEqual([{ key: 'status.done.kept', values: { count: 1 } }, { key: 'status.saveReady' }]);
  });

  it('is announced once, although counts change afterwards', () => {
    const run: RunState = { state: 'finished' };
    update({ total: 1, kept: 1 }, run);
    const { turn } = notifications.polite.get();
    update({ total: 1, kept: 1, bytes: 1 }, run);
    expect(notifications.polite.get().turn).toBe(turn);
  });

  const running = (finished: number): RunState => ({ state: 'running', recipe: recipeFor(), total: 100, finished });
  const counts = { total: 100, busy: 100 };

  it('is announced at its start, then at quarters that are at least 15 seconds apart', () => {
    const reported: number[] = [];
    notifications.polite.subscribe(() => {
      const [message] = polite();
      if (message?.key === 'status.running.progress') reported.push(Number(message.values?.['done']));
    });
    update(counts, running(0));
    expect(polite()).toEqual([{ key: 'status.running.start', values: { total: 100 } }]);
    for (let finished = 1; finished < 100; finished += 1) {
      now += 500;
      update(counts, running(finished));
    }
    expect(reported).toEqual([30, 60, 90]);
  });

  it('is not announced between quarters, also if these take long', () => {
    update(counts, running(0));
    now += 60_000;
    update(counts, running(24));
    expect(polite()[0]?.key).toBe('status.running.start');
    update(counts, running(25));
    expect(polite()[0]?.key).toBe('status.running.progress');
  });

  it('is announced politely at the end if every file succeeded', () => {
    update(counts, running(99));
    update({ total: 100, done: 100, before: 1000, after: 140 }, { state: 'finished' });
    expect(polite().map(({ key }) => key)).toEqual(['status.done', 'status.done.smaller', 'status.saveReady']);
    expect(assertive()).toEqual([]);
  });

  it('is announced assertively at the end if a file failed', () => {
    update(counts, running(99));
    update({ total: 100, done: 98, failed: 2, before: 1000, after: 140 }, { state: 'finished' });
    expect(assertive()[0]).toEqual({ key: 'status.someFailed', values: { done: 98, total: 100, failed: 2 } });
  });
});

it('a change of settings after a run is announced once', () => {
  const run: RunState = { state: 'finished' };
  update({ total: 1, done: 1 }, run);
  update({ total: 1, done: 1, stale: 1, pending: 1 }, run);
  const { turn } = notifications.polite.get();
  expect(polite()).toEqual([{ key: 'status.stale' }]);
  update({ total: 1, done: 1, stale: 1, pending: 1 }, run);
  expect(notifications.polite.get().turn).toBe(turn);
});
