// One picture in two workers: the same file and the same report as in one, also for damaged files.
import { afterEach, expect, test } from 'vitest';
import type { ResizeJob } from '../../domain/job.ts';
import { isFailed } from '../shared/failure.ts';
import faultyWorkerUrl from '../testing/faulty.worker.ts?worker&url';
import { ASSETS, type Assets } from './assets.ts';
import { createEngine, type Engine } from './engine.ts';

const engines: Engine[] = [];
const PageWorker = globalThis.Worker;
afterEach(() => {
  globalThis.Worker = PageWorker;
  for (const engine of engines.splice(0)) engine.dispose();
});

/** Counts the workers of the core that start from now on. */
function countWorkers(): () => number {
  let count = 0;
  globalThis.Worker = class extends PageWorker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      if (!String(url).includes('reading-thread')) count += 1;
    }
  };
  return () => count;
}

/** Starts an engine for a number of processors. With two, a large picture is decoded in a second worker. */
function start(concurrency: 1 | 2, workerUrl = () => ASSETS.worker): Engine {
  const assets: Assets = {
    ...ASSETS,
    get worker() {
      return workerUrl();
    },
  };
  const engine = createEngine({ warmWhenIdle: false, concurrency, assets });
  engines.push(engine);
  return engine;
}

const SIZE = { width: 2000, height: 1100 };
const WHOLE = { x: 0, y: 0, ...SIZE };

/** Draws stripes, and lines of noise, without which half of a PNG would be too small for its pixels. */
function drawn(type: 'image/png' | 'image/jpeg'): Promise<Blob> {
  const canvas = new OffscreenCanvas(SIZE.width, SIZE.height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  const noise = context.createImageData(SIZE.width, 1);
  let random = 1;
  for (let y = 0; y < SIZE.height; y += 10) {
    context.fillStyle = `hsl(${(y * 7) % 360} 60% ${20 + (y % 60)}%)`;
    context.fillRect(y % 300, y, SIZE.width - ((y * 3) % 700), 9);
    for (let i = 0; i < noise.data.length; i += 1) {
      random = (random * 48_271) % 0x7fff_ffff;
      noise.data[i] = i % 4 === 3 ? 255 : random & 255;
    }
    context.putImageData(noise, 0, y);
  }
  return canvas.convertToBlob({ type, quality: 0.9 });
}

const job: ResizeJob = {
  parts: [{ frame: 0, crop: WHOLE, target: { width: 500, height: 275 }, canvas: null }],
  kernel: 'lanczos3',
  light: 'auto',
  output: { format: 'jpeg', coding: 'baseline', subsampling: 'auto', quality: 80, background: [255, 255, 255] },
  metadata: 'keep-without-location',
  memory: 128 << 20,
};

/** Returns what a job gives, without the memory, which is that of one worker. */
async function outcomeOf(engine: Engine, file: Blob): Promise<unknown> {
  await engine.probe(file);
  const outcome = await engine.run(file, job);
  if (isFailed(outcome)) return outcome;
  const { blob, memory: _, ...report } = outcome;
  return { ...report, bytes: blob.size, type: blob.type };
}

test.each(['image/jpeg', 'image/png'] as const)('%s, whole and damaged', async (type) => {
  const file = await drawn(type);
  const half = file.slice(0, file.size / 2);
  const headOnly = file.slice(0, 700);
  const files = [file, half, headOnly];
  const [one, two] = [start(1), start(2)];
  for (const given of files) expect(await outcomeOf(two, given)).toEqual(await outcomeOf(one, given));
  expect(await outcomeOf(two, file)).toMatchObject({ width: 500, height: 275 });
  expect(JSON.stringify(await outcomeOf(two, half))).toContain('truncated');
});

test('a second worker starts for a large picture only where there is a second processor', async () => {
  const file = await drawn('image/jpeg');
  const started = countWorkers();
  await outcomeOf(start(1), file);
  const inOne = started();
  await outcomeOf(start(2), file);
  expect(started() - inOne).toBe(inOne + 1);
});

test('a cancelled job ends both workers, and the next one runs', async () => {
  const [file, engine] = [await drawn('image/jpeg'), start(2)];
  await engine.probe(file);
  const controller = new AbortController();
  const outcome = engine.run(file, job, { signal: controller.signal, onProgress: () => controller.abort() });
  expect(await outcome).toMatchObject({ failure: { code: 'cancelled' } });
  expect(await outcomeOf(engine, file)).toMatchObject({ width: 500 });
});

// The first worker resamples, the second one reads headers, the third one decodes.
test.each([
  [1, 'throws'],
  [1, 'traps'],
  [3, 'throws'],
])('if worker %i %s, one worker does the job, with the same result', async (number, death) => {
  const file = await drawn('image/jpeg');
  let count = 0;
  const workerUrl = () => {
    count += 1;
    return count === number ? `${faultyWorkerUrl}${faultyWorkerUrl.includes('?') ? '&' : '?'}${death}` : ASSETS.worker;
  };
  expect(await outcomeOf(start(2, workerUrl), file)).toEqual(await outcomeOf(start(1), file));
  // The fourth worker does the job after the first and the third have ended together.
  expect(count).toBe(4);
});
