// The queue with the real engine and fake workers: the number of started workers, and no uncaught errors.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readForm } from '../../domain/form.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import { createEngine, type Engine } from '../../engine/index.ts';
import { FakeWorker } from '../../engine/testing/fake-worker.ts';
import { Queue } from './queue.ts';
import { Signal } from './signal.ts';
import { fileNamed, pictureInfo } from './testing/scripted-engine.ts';

const FILES = 1000;
const CONCURRENCY = 2;
/** The seats, and the worker that reads headers. */
const MAX_WORKERS = CONCURRENCY + 1;
/** An empty WebAssembly module. */
const CORE = 'data:application/wasm;base64,AGFzbQEAAAA=';
const ASSETS = {
  worker: '/worker.js',
  readingThread: '/reading-thread.js',
  core: CORE,
  decoders: {},
  encoders: {
    webp: { worker: 'worker', wasm: 'webp' },
    'avif-encoder': { worker: 'worker', wasm: 'avif' },
    'jxl-encoder': { worker: 'worker', wasm: 'jxl' },
  },
};

let workers: FakeWorker[];
let engine: Engine;
let queue: Queue;
const thrown: unknown[] = [];
const remember = (error: unknown) => thrown.push(error);

beforeEach(async () => {
  workers = [];
  vi.stubGlobal('location', new URL('http://localhost/'));
  vi.stubGlobal('navigator', { userAgent: 'Chrome/140' });
  vi.stubGlobal(
    'Worker',
    class extends FakeWorker {
      constructor(url: string) {
        super();
        if (url === ASSETS.worker) workers.push(this);
      }
    },
  );
  thrown.length = 0;
  process.on('uncaughtException', remember);
  engine = createEngine({ assets: ASSETS, memory: 2 ** 30, concurrency: CONCURRENCY, warmWhenIdle: false });
  const reading = readForm(DEFAULT_FORM);
  if (!('recipe' in reading)) throw new Error('the form of this test is invalid');
  queue = new Queue(() => engine, new Signal<Recipe | null>(reading.recipe));
  await queue.load();
});

afterEach(() => {
  engine.dispose();
  process.off('uncaughtException', remember);
  vi.unstubAllGlobals();
});

const addFiles = (count = FILES) =>
  queue.add(Array.from({ length: count }, (_, i) => ({ file: fileNamed(`${i}.jpg`, 1), path: `${i}.jpg` })));

/** Waits until workers have received tasks. */
const tasksStarted = () => vi.waitFor(() => expect(workers.some(({ task }) => task !== undefined)).toBe(true));

/** Waits until promises have settled and errors have been reported. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Answers every header request. */
async function readHeaders(count = FILES): Promise<void> {
  await tasksStarted();
  for (let left = count; left > 0; left -= 1) {
    const worker = workers.find(({ task }) => task?.kind === 'probe');
    if (worker === undefined) throw new Error('no worker has a header to read');
    worker.task = undefined;
    worker.onmessage?.({ data: { kind: 'done', result: pictureInfo(4000, 3000) as never, memory: 0 } });
  }
  await settled();
}

test('removing all files during header reading starts no worker', async () => {
  addFiles();
  await tasksStarted();
  const before = workers.length;
  queue.clear();
  await settled();
  expect(workers).toHaveLength(before);
  expect(workers.length).toBeLessThanOrEqual(MAX_WORKERS);
  expect(thrown).toEqual([]);
});

test.each(['cancel', 'clear'] as const)('%s during a run starts no worker and throws nothing', async (how) => {
  addFiles();
  await readHeaders();
  queue.resize();
  await vi.waitFor(() => expect(workers.filter(({ task }) => task?.kind === 'run')).toHaveLength(CONCURRENCY));
  const before = workers.length;
  queue[how]();
  await settled();
  expect(workers).toHaveLength(before);
  expect(workers.length).toBeLessThanOrEqual(MAX_WORKERS);
  expect(thrown).toEqual([]);
  expect(queue.status.get().run.state).toBe(how === 'cancel' ? 'cancelled' : 'none');
});

test('a whole run uses as many workers as there are seats', async () => {
  addFiles();
  await readHeaders();
  queue.resize();
  for (let left = FILES; left > 0; left -= 1) {
    const isAtWork = ({ task }: FakeWorker) => task?.kind === 'run';
    await vi.waitFor(() => expect(workers.some(isAtWork)).toBe(true));
    workers.find(isAtWork)?.finish();
  }
  await settled();
  expect(queue.status.get().counts.done).toBe(FILES);
  expect(workers.length).toBeLessThanOrEqual(MAX_WORKERS);
});

test('the second worker of one image ends when a run of several images starts', async () => {
  const isAlive = ({ isTerminated }: FakeWorker) => !isTerminated;
  const atWork = () => workers.filter(({ task, isTerminated }) => !isTerminated && task !== undefined);
  addFiles(1);
  await readHeaders(1);
  queue.resize();
  await vi.waitFor(() => expect(atWork().map(({ task }) => task?.kind)).toEqual(['run', 'decode']));
  // The decoder ends first. A chain whose core ends before it is not used again.
  for (const worker of atWork().reverse()) worker.finish();
  await vi.waitFor(() => expect(queue.status.get().counts.done).toBe(1));
  queue.clear();
  addFiles(3);
  await readHeaders(3);
  queue.resize();
  await vi.waitFor(() => expect(atWork()).toHaveLength(CONCURRENCY));
  expect(workers.filter(isAlive).length).toBeLessThanOrEqual(MAX_WORKERS);
});
