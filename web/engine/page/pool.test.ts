// The pool and its runners with fake workers. Tests with real workers are in engine.browser.test.ts.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CoreFailure } from '../shared/core-types.ts';
import { isFailed, type Outcome } from '../shared/failure.ts';
import type { ResizeResult, RunTask } from '../shared/protocol.ts';
import { EMPTY_MODULE, fakePool } from '../testing/fake-pool.ts';
import type { FakeWorker } from '../testing/fake-worker.ts';
import { Pool } from './pool.ts';
import { Runner } from './runner.ts';

const MIB = 2 ** 20;

/** Makes a pool, its workers in the order of their creation, and the outcomes of the jobs by name. */
function setup({ concurrency = 2, memory = 100 * MIB } = {}) {
  const { pool, workers } = fakePool({ concurrency, memory });
  const ended = new Map<string, string>();
  const controllers = new Map<string, AbortController>();

  const add = (name: string, need = MIB, isUrgent = false) => {
    const controller = new AbortController();
    controllers.set(name, controller);
    const taskWith = (bytes: number) =>
      ({ kind: 'run', file: new File([], name), job: { memory: bytes } }) as unknown as RunTask;
    const { signal } = controller;
    const done = pool.run({ task: taskWith(need), memory: need, withMemory: taskWith, isUrgent, signal });
    void done.then((outcome: Outcome<ResizeResult>) =>
      ended.set(name, isFailed(outcome) ? outcome.failure.code : 'done'),
    );
  };
  const nameOf = ({ task }: FakeWorker) => (task?.kind === 'run' ? (task.file as File) : undefined)?.name;
  const running = () => workers.filter((worker) => !worker.isTerminated).flatMap((worker) => nameOf(worker) ?? []);
  const workerOf = (name: string) => {
    const worker = workers.find((one) => !one.isTerminated && nameOf(one) === name);
    if (worker === undefined) throw new Error(`${name} does not run; ${running().join(', ')} do`);
    return worker;
  };
  const cancel = (name: string) => controllers.get(name)?.abort();
  return { pool, workers, ended, add, running, workerOf, cancel };
}

/** Lets the handlers of settled promises run. */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve));

describe('the queue', () => {
  test('runs as many jobs at a time as allowed, in the order in which they were added', () => {
    const { add, running, workerOf } = setup();
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    expect(running()).toEqual(['a', 'b']);
    workerOf('b').finish();
    expect(running()).toEqual(['a', 'c']);
    workerOf('a').finish();
    expect(running().sort()).toEqual(['c', 'd']);
  });

  test('starts an urgent job before all that wait', () => {
    const { add, running, workerOf } = setup({ concurrency: 1 });
    for (const name of ['a', 'b', 'c']) add(name);
    add('thumbnail', MIB, true);
    expect(running()).toEqual(['a']);
    workerOf('a').finish();
    expect(running()).toEqual(['thumbnail']);
    workerOf('thumbnail').finish();
    expect(running()).toEqual(['b']);
  });

  test('reuses workers for the next job', () => {
    const { add, workers, workerOf } = setup({ concurrency: 1 });
    for (const name of ['a', 'b', 'c']) {
      add(name);
      workerOf(name).finish();
    }
    expect(workers).toHaveLength(1);
  });

  test('never admits more memory than the limit', () => {
    const { add, running, workerOf } = setup({ concurrency: 4 });
    add('a', 60 * MIB);
    add('b', 40 * MIB);
    add('c', 40 * MIB);
    expect(running()).toEqual(['a', 'b']);
    workerOf('b').finish();
    expect(running()).toEqual(['a', 'c']);
  });

  test('does not start small jobs before an earlier large one', () => {
    const { add, running, workerOf } = setup({ concurrency: 4 });
    add('small 1', MIB);
    add('large', 100 * MIB);
    add('small 2', MIB);
    expect(running()).toEqual(['small 1']);
    workerOf('small 1').finish();
    expect(running()).toEqual(['large']);
    workerOf('large').finish();
    expect(running()).toEqual(['small 2']);
  });

  test('runs a job that needs more than the limit alone', () => {
    const { add, running, workerOf } = setup();
    add('small');
    add('huge', 500 * MIB);
    add('other');
    expect(running()).toEqual(['small']);
    workerOf('small').finish();
    expect(running()).toEqual(['huge']);
    workerOf('huge').finish();
    expect(running()).toEqual(['other']);
  });
});

describe('a worker that dies', () => {
  test.each(['crash', 'error'] as const)('by %s makes its job run again, alone and at the end', async (death) => {
    const { add, running, workerOf, ended, workers } = setup();
    for (const name of ['bad', 'b', 'c']) add(name);
    for (const worker of workers) worker.send({ kind: 'started' });
    workerOf('bad')[death]();
    expect(running()).toEqual(['b', 'c']);
    workerOf('b').finish();
    expect(running()).toEqual(['c']);
    workerOf('c').finish();
    expect(running()).toEqual(['bad']);
    add('d');
    expect(running()).toEqual(['bad']);
    workerOf('bad').finish();
    expect(running()).toEqual(['d']);
    await settled();
    expect(Object.fromEntries(ended)).toEqual({ bad: 'done', b: 'done', c: 'done' });
  });

  test('twice with a job makes it fail, and the next job runs', async () => {
    const { add, running, workerOf, ended } = setup();
    add('bad');
    workerOf('bad').crash();
    workerOf('bad').crash();
    await settled();
    expect(ended.get('bad')).toBe('crashed');
    add('next');
    expect(running()).toEqual(['next']);
  });

  test('while it is idle is replaced', () => {
    const { add, running, workerOf, workers } = setup();
    add('a');
    workerOf('a').finish();
    workers[0]!.error();
    add('b');
    expect(running()).toEqual(['b']);
    expect(workers).toHaveLength(2);
  });

  test('before its script has run gives part-missing without a retry', async () => {
    const { add, workers, ended } = setup();
    add('a');
    workers[0]!.error();
    await settled();
    expect(ended.get('a')).toBe('part-missing');
    expect(workers).toHaveLength(1);
  });

  test('at its creation, because a policy forbids its script, gives part-missing', async () => {
    const forbid = () => {
      throw new TypeError('This document requires TrustedScriptURL assignment');
    };
    const pool = new Pool<'run'>({ concurrency: 1, memory: MIB, makeRunner: () => new Runner(forbid, EMPTY_MODULE) });
    await pool.warm();
    const task = { kind: 'run', file: new Blob([]) } as unknown as RunTask;
    expect(await pool.run({ task, memory: 1 })).toMatchObject({ failure: { code: 'part-missing' } });
  });
});

describe('a job that is short of memory', () => {
  const short: CoreFailure = { code: 'memory', detail: '', need: 30 * MIB, have: 10 * MIB };

  test('is retried alone with all of the memory', async () => {
    const { add, running, workerOf, ended } = setup();
    add('a', 10 * MIB);
    add('b', 10 * MIB);
    workerOf('a').fail(short);
    expect(running()).toEqual(['b']);
    workerOf('b').finish();
    expect(workerOf('a').task).toMatchObject({ job: { memory: 100 * MIB } });
    workerOf('a').fail(short);
    await settled();
    expect(ended.get('a')).toBe('memory');
  });

  test('is not retried if it had all of the memory', async () => {
    const { add, workerOf, ended } = setup();
    add('a', 100 * MIB);
    workerOf('a').fail(short);
    await settled();
    expect(ended.get('a')).toBe('memory');
  });
});

test('any other failure is final', async () => {
  const { add, workerOf, ended, running } = setup();
  add('a');
  workerOf('a').fail({ code: 'malformed', detail: 'no end', format: 'png' });
  await settled();
  expect(ended.get('a')).toBe('malformed');
  expect(running()).toEqual([]);
});

describe('cancelling', () => {
  test('removes a waiting job from the queue, and the next job starts', async () => {
    const { add, running, cancel, ended } = setup({ concurrency: 4 });
    add('a');
    add('large', 100 * MIB);
    add('c');
    cancel('large');
    await settled();
    expect(ended.get('large')).toBe('cancelled');
    expect(running()).toEqual(['a', 'c']);
  });

  test('terminates the worker of a running job, and the next job gets a new one', async () => {
    const { add, running, cancel, ended, workers } = setup({ concurrency: 1 });
    add('a');
    add('b');
    cancel('a');
    await settled();
    expect(ended.get('a')).toBe('cancelled');
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    expect(running()).toEqual(['b']);
  });

  test('many jobs at once starts no worker for the waiting ones', async () => {
    const { add, cancel, ended, running, workers } = setup({ concurrency: 2 });
    const names = Array.from({ length: 1000 }, (_, i) => `job ${i}`);
    for (const name of names) add(name);
    for (const name of names) cancel(name);
    await settled();
    expect([...ended.values()]).toEqual(names.map(() => 'cancelled'));
    expect(workers).toHaveLength(2);
    add('next');
    expect(running()).toEqual(['next']);
  });

  test('ignores later messages of the terminated worker', async () => {
    const { add, cancel, workers, ended } = setup({ concurrency: 1 });
    add('a');
    cancel('a');
    workers[0]!.finish();
    await settled();
    expect(ended.get('a')).toBe('cancelled');
  });

  test('before the call starts no worker', async () => {
    const { pool, workers } = setup();
    const task = { kind: 'run', file: new Blob([]) } as unknown as RunTask;
    const outcome = await pool.run({ task, memory: 1, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ failure: { code: 'cancelled' } });
    expect(workers).toEqual([]);
  });

  test('disposing cancels all jobs and terminates every worker', async () => {
    const { pool, add, workers, ended, workerOf } = setup();
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    workerOf('a').finish();
    pool.dispose();
    add('late');
    await settled();
    expect(Object.fromEntries(ended)).toEqual({
      a: 'done',
      b: 'cancelled',
      c: 'cancelled',
      d: 'cancelled',
      late: 'cancelled',
    });
    expect(workers.every(({ isTerminated }) => isTerminated)).toBe(true);
    expect(workers).toHaveLength(2);
  });
});

test('a worker whose memory has grown above the limit is replaced', () => {
  const { add, workerOf, workers } = setup({ concurrency: 1 });
  add('a');
  workerOf('a').finish(192 * MIB);
  add('b');
  workerOf('b').finish(192 * MIB + 1);
  add('c');
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
});

describe('spare workers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('end two seconds after the last job, but for one', () => {
    const { add, workerOf, workers } = setup({ concurrency: 3 });
    const left = () => workers.filter(({ isTerminated }) => !isTerminated).length;
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    for (const name of ['a', 'b', 'c', 'd']) workerOf(name).finish();
    vi.advanceTimersByTime(1999);
    expect(left()).toBe(3);
    vi.advanceTimersByTime(1);
    expect(left()).toBe(1);
    expect(workers).toHaveLength(3);
  });

  test('do jobs that follow each other', () => {
    const { add, workerOf, workers } = setup();
    add('0');
    for (let i = 1; i < 20; i += 1) {
      add(String(i));
      vi.advanceTimersByTime(100);
      workerOf(String(i - 1)).finish();
    }
    workerOf('19').finish();
    vi.advanceTimersByTime(1000);
    for (const name of ['next', 'last']) add(name);
    expect(workers).toHaveLength(2);
  });
});

test('warming up starts one worker, which the first job uses', async () => {
  const { pool, add, workers, running } = setup();
  const warm = pool.warm();
  void pool.warm();
  expect(workers).toHaveLength(1);
  workers[0]!.send({ kind: 'warmed' });
  await warm;
  add('a');
  expect(running()).toEqual(['a']);
  expect(workers).toHaveLength(1);
});

describe('a silent worker', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is terminated after five minutes', () => {
    const { add, workers, running } = setup();
    add('a');
    vi.advanceTimersByTime(299_000);
    expect(workers[0]!.isTerminated).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(workers[0]!.isTerminated).toBe(true);
    expect(running()).toEqual(['a']);
  });

  test('is not terminated while it reports progress', () => {
    const { add, workers } = setup();
    add('a');
    for (let minute = 0; minute < 60; minute += 1) {
      workers[0]!.send({ kind: 'progress', fraction: minute / 60 });
      vi.advanceTimersByTime(60_000);
    }
    expect(workers[0]!.isTerminated).toBe(false);
  });

  test('is not looked for while no job runs', () => {
    const { add, workerOf } = setup();
    add('a');
    workerOf('a').finish();
    expect(vi.getTimerCount()).toBe(0);
  });
});
