// Which jobs run in two workers, and what the pool does with them.
import { describe, expect, test } from 'vitest';
import type { ResizeJob } from '../../domain/job.ts';
import type { Picture } from '../../domain/picture.ts';
import { isFailed } from '../shared/failure.ts';
import type { RunTask } from '../shared/protocol.ts';
import { fakePool } from '../testing/fake-pool.ts';
import { canDecodeApart, hasFreeProcessor } from './threads.ts';

test.each([
  // processors, busy workers, waiting jobs, whether the starting job may use a second worker
  [1, 0, 0, false],
  [2, 0, 0, true],
  [2, 0, 1, false],
  [2, 1, 0, false],
  [4, 0, 0, true],
  [4, 0, 2, true],
  [4, 0, 3, false],
  [4, 2, 0, true],
  [4, 2, 1, false],
  [4, 5, 0, false],
])('%i processors, %i busy, %i waiting: %s', (processors, busy, waiting, isFree) => {
  expect(hasFreeProcessor({ processors, busy, waiting })).toBe(isFree);
});

describe('a second worker', () => {
  const photo = { format: 'jpeg', width: 6000, height: 4000, frames: 1 } as Picture;
  const job = { parts: [{}] } as unknown as ResizeJob;

  test.each<[string, Partial<Picture>, boolean]>([
    ['decodes large JPEGs', {}, true],
    ['decodes large PNGs', { format: 'png' }, true],
    ['decodes no small picture', { width: 1000, height: 1000 }, false],
    ['decodes no format that is only copied', { format: 'bmp' }, false],
    ['decodes JPEGs with a gain map', { hasGainMap: true }, true],
    ['decodes no file with several pictures', { format: 'png', frames: 2 }, false],
  ])('%s', (_, facts, isApart) => {
    expect(canDecodeApart({ ...photo, ...facts }, job)).toBe(isApart);
  });

  test('decodes nothing for a job that needs only a part of the pixels', () => {
    expect(canDecodeApart(photo, { ...job, decoding: 'fast' })).toBe(false);
  });

  test('decodes nothing for a job with several parts, which goes through the file again', () => {
    expect(canDecodeApart(photo, { ...job, parts: [...job.parts, ...job.parts] })).toBe(false);
  });
});

describe('the pool', () => {
  const MIB = 2 ** 20;

  /** Makes a pool, and a function that adds jobs of 30 MiB, or of 60 MiB in two workers. */
  function setup({ concurrency = 2, memory = 100 * MIB } = {}) {
    const { pool, workers } = fakePool({ concurrency, memory });
    const taskFor = (name: string, inTwo: boolean, bytes: number) =>
      ({ kind: 'run', file: new File([], name), job: { memory: bytes }, inTwo }) as unknown as RunTask;
    const outcomeOf = async (name: string) => {
      const outcome = await pool.run({
        task: taskFor(name, false, 30 * MIB),
        memory: 30 * MIB,
        withMemory: (bytes) => taskFor(name, false, bytes),
        inTwo: { task: taskFor(name, true, 30 * MIB), memory: 60 * MIB },
      });
      return isFailed(outcome) ? outcome.failure.code : 'done';
    };
    /** Adds jobs together, and returns their outcomes when those that can have started. */
    const add = async (...names: readonly string[]) => {
      const outcomes = names.map(outcomeOf);
      await Promise.resolve();
      return outcomes;
    };
    /** The jobs that run, with the number of their workers and their memory. */
    const running = () =>
      workers
        .filter(({ isTerminated }) => !isTerminated)
        .flatMap(({ task }) => (task?.kind === 'run' ? [task as RunTask & { readonly inTwo: boolean }] : []))
        .map(({ file, inTwo, job }) => `${(file as File).name} ${inTwo ? 2 : 1} ${job.memory / MIB}`);
    return { workers, add, running };
  }

  test('gives a job two workers while no other job needs the processor', async () => {
    const { add, running, workers } = setup();
    await add('a');
    expect(running()).toEqual(['a 2 30']);
    await add('b');
    expect(running()).toEqual(['a 2 30', 'b 1 30']);
    await add('c');
    workers[0]?.finish();
    expect(running().sort()).toEqual(['b 1 30', 'c 1 30']);
  });

  test('gives a job one worker where there is one processor, or too little memory', async () => {
    for (const limits of [{ concurrency: 1 }, { memory: 59 * MIB }]) {
      const { add, running } = setup(limits);
      await add('a');
      expect(running()).toEqual(['a 1 30']);
    }
  });

  test('gives jobs that are added together one worker each, unless processors stay free', async () => {
    for (const [concurrency, jobs] of [
      [2, ['a 1 30', 'b 1 30']],
      [4, ['a 2 30', 'b 1 30', 'c 1 30']],
    ] as const) {
      const { add, running } = setup({ concurrency, memory: 200 * MIB });
      await add(...jobs.map((job) => job.slice(0, 1)));
      expect(running()).toEqual(jobs);
    }
  });

  test('counts the memory of both workers', async () => {
    const { add, running } = setup({ concurrency: 4, memory: 80 * MIB });
    await add('a');
    await add('b');
    expect(running()).toEqual(['a 2 30']);
  });

  test('retries in one worker after a crash, and fails after a second one', async () => {
    const { add, running, workers } = setup();
    const [ended] = await add('a');
    workers[0]?.crash();
    expect(running()).toEqual(['a 1 30']);
    workers[1]?.crash();
    expect(await ended).toBe('crashed');
  });

  test('retries in one worker with all memory when it did not suffice', async () => {
    const { add, running, workers } = setup({ memory: 60 * MIB });
    await add('a');
    workers[0]?.fail({ code: 'memory', detail: '', need: 0, have: 0 });
    expect(running()).toEqual(['a 1 60']);
  });
});
