import { beforeEach, describe, expect, it } from 'vitest';
import { type Counts, countItems } from './counts.ts';
import { Notifications } from './notifications.ts';
import type { Status } from './queue.ts';
import type { RunState } from './run.ts';
import { RunAnnouncer } from './run-announcer.ts';

const NONE = countItems([], null);
let now = 0;
let notifications: Notifications;
let announcer: RunAnnouncer;

function hear(counts: Partial<Counts>, run: RunState): void {
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

describe('arrivals', () => {
  it('are told once, after the last header', () => {
    hear({ total: 24, reading: 24 }, { state: 'none' });
    hear({ total: 24, reading: 3 }, { state: 'none' });
    expect(polite()).toEqual([]);
    hear({ total: 24, pending: 24 }, { state: 'none' });
    expect(polite()).toEqual([{ key: 'status.added', values: { count: 24 } }]);
  });

  it('count the new files only, and say how many cannot be used', () => {
    hear({ total: 2, reading: 2 }, { state: 'none' });
    hear({ total: 2, pending: 2 }, { state: 'none' });
    hear({ total: 5, reading: 3, pending: 2 }, { state: 'none' });
    hear({ total: 5, pending: 4, failed: 1, unusable: 1 }, { state: 'none' });
    expect(polite()).toEqual([
      { key: 'status.added', values: { count: 3 } },
      { key: 'status.unusable', values: { count: 1 } },
    ]);
  });
});

describe('a run', () => {
  it('that ends in the moment in which it starts is told', () => {
    hear({ total: 1, kept: 1 }, { state: 'finished' });
    expect(polite()).toEqual([{ key: 'status.done.kept', values: { count: 1 } }, { key: 'status.saveReady' }]);
  });

  it('is told once, however much is counted after it', () => {
    const run: RunState = { state: 'finished' };
    hear({ total: 1, kept: 1 }, run);
    const { turn } = notifications.polite.get();
    hear({ total: 1, kept: 1, bytes: 1 }, run);
    expect(notifications.polite.get().turn).toBe(turn);
  });

  const running = (finished: number): RunState => ({ state: 'running', total: 100, finished });
  const counts = { total: 100, busy: 100 };

  it('is told at its start, then by quarters that are at least 15 seconds apart', () => {
    const told: number[] = [];
    notifications.polite.subscribe(() => {
      const [message] = polite();
      if (message?.key === 'status.running.progress') told.push(Number(message.values?.['done']));
    });
    hear(counts, running(0));
    expect(polite()).toEqual([{ key: 'status.running.start', values: { total: 100 } }]);
    for (let finished = 1; finished < 100; finished += 1) {
      now += 500;
      hear(counts, running(finished));
    }
    expect(told).toEqual([30, 60, 90]);
  });

  it('stays silent between the quarters, however long they take', () => {
    hear(counts, running(0));
    now += 60_000;
    hear(counts, running(24));
    expect(polite()[0]?.key).toBe('status.running.start');
    hear(counts, running(25));
    expect(polite()[0]?.key).toBe('status.running.progress');
  });

  it('ends with the outcome, politely where all went well', () => {
    hear(counts, running(99));
    hear({ total: 100, done: 100, before: 1000, after: 140 }, { state: 'finished' });
    expect(polite().map(({ key }) => key)).toEqual(['status.done', 'status.done.smaller', 'status.saveReady']);
    expect(assertive()).toEqual([]);
  });

  it('ends with an alert where something failed', () => {
    hear(counts, running(99));
    hear({ total: 100, done: 98, failed: 2, before: 1000, after: 140 }, { state: 'finished' });
    expect(assertive()[0]).toEqual({ key: 'status.someFailed', values: { done: 98, total: 100, failed: 2 } });
  });
});

it('says once that the settings have changed', () => {
  const run: RunState = { state: 'finished' };
  hear({ total: 1, done: 1 }, run);
  hear({ total: 1, done: 1, stale: 1, pending: 1 }, run);
  const { turn } = notifications.polite.get();
  expect(polite()).toEqual([{ key: 'status.stale' }]);
  hear({ total: 1, done: 1, stale: 1, pending: 1 }, run);
  expect(notifications.polite.get().turn).toBe(turn);
});
