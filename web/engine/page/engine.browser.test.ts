// The engine with the real worker and the real core, from files to files.
import { afterEach, describe, expect, test } from 'vitest';
import { readForm } from '../../domain/form.ts';
import type { ResizeJob } from '../../domain/job.ts';
import { jobsFor } from '../../domain/jobs.ts';
import { jobMemory } from '../../domain/memory.ts';
import { planFor } from '../../domain/plan.ts';
import { DEFAULT_FORM } from '../../domain/settings.ts';
import { crc32 } from '../../zip/crc32.ts';
import type { ImageInfo } from '../shared/core-types.ts';
import { isFailed, type Outcome } from '../shared/failure.ts';
import faultyWorkerUrl from '../testing/faulty.worker.ts?worker&url';
import { ASSETS } from './assets.ts';
import { createEngine, type Engine, type EngineOptions } from './engine.ts';

const engines: Engine[] = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose();
});

function start(options: EngineOptions = {}): Engine {
  const engine = createEngine({ warmWhenIdle: false, ...options });
  engines.push(engine);
  return engine;
}

function ok<T extends object>(outcome: Outcome<T>): T {
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  return outcome;
}

function codeOf<T extends object>(outcome: Outcome<T>): string {
  return isFailed(outcome) ? outcome.failure.code : 'ok';
}

/** Makes a BMP with 24 bits per pixel. Its noise makes every stage work. */
function bmp(width: number, height: number, name = 'noise.bmp'): File {
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const header = new DataView(new ArrayBuffer(54));
  header.setUint16(0, 0x424d);
  header.setUint32(2, 54 + rowBytes * height, true);
  header.setUint32(10, 54, true);
  header.setUint32(14, 40, true);
  header.setInt32(18, width, true);
  header.setInt32(22, height, true);
  header.setUint16(26, 1, true);
  header.setUint16(28, 24, true);
  const row = Uint8Array.from({ length: rowBytes }, (_, i) => (i * i * 7 + i) & 0xff);
  return new File([header, ...Array.from({ length: height }, () => row)], name);
}

/** The signature of raw rows, as `crates/codec-raw` writes it. */
const ROWS = new Blob(['\x93ROW\r\n\x1A\n'].map((text) => Uint8Array.from(text, (c) => c.charCodeAt(0))));

function drawn(type: 'image/png' | 'image/jpeg', width = 400, height = 300): Promise<Blob> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  const slope = context.createLinearGradient(0, 0, width, height);
  slope.addColorStop(0, 'crimson');
  slope.addColorStop(1, 'teal');
  context.fillStyle = slope;
  context.fillRect(0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), type, 0.9);
  });
}

let large: Promise<Blob[]> | undefined;
/** Returns pictures of six megapixels, which are drawn once. */
function largePictures(): Promise<Blob[]> {
  large ??= Promise.all([bmp(3000, 2000), drawn('image/jpeg', 3000, 2000), drawn('image/png', 3000, 2000)]);
  return large;
}

function jobTo(width: number, info: ImageInfo, changes: Partial<typeof DEFAULT_FORM> = {}): ResizeJob {
  const reading = readForm({ ...DEFAULT_FORM, width: String(width), dontEnlarge: false, ...changes });
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  const plan = planFor(reading.recipe, info);
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  const [job] = jobsFor(reading.recipe, plan, jobMemory(info, plan));
  if (job === undefined) throw new Error('a plan without files');
  return job;
}

async function resize(engine: Engine, file: Blob, width: number) {
  const info = ok(await engine.probe(file));
  return engine.run(file, jobTo(width, info));
}

describe('a picture', () => {
  test.each([
    ['png', () => drawn('image/png')],
    ['jpeg', () => drawn('image/jpeg')],
    ['bmp', () => Promise.resolve(bmp(400, 300))],
  ] as const)('of format %s is probed and resized, with a correct report', async (format, make) => {
    const engine = start();
    const file = await make();
    expect(ok(await engine.probe(file))).toMatchObject({ format, width: 400, height: 300, frames: 1, orientation: 1 });
    const result = ok(await resize(engine, file, 100));
    expect(result).toMatchObject({ format, width: 100, height: 75, byteLength: result.blob.size });
    expect(result.blob.type).toBe(`image/${format}`);
    expect(crc32(new Uint8Array(await result.blob.arrayBuffer()))).toBe(result.crc32);
    expect(ok(await engine.probe(result.blob))).toMatchObject({ format, width: 100, height: 75 });
  });

  test('that was resized has the same size in the browser', async () => {
    const result = ok(await resize(start(), await drawn('image/png'), 50));
    const bitmap = await createImageBitmap(result.blob);
    expect([bitmap.width, bitmap.height]).toEqual([50, 38]);
  });

  test.each(['jpeg', 'png', 'bmp'] as const)('can be written as %s within the memory of its job', async (format) => {
    const engine = start();
    for (const file of await largePictures()) {
      const info = ok(await engine.probe(file));
      const job = jobTo(1000, info, { format });
      expect(ok(await engine.run(file, job)).memory).toBeLessThanOrEqual(job.memory);
    }
  });
});

test.each([
  ['no bytes', new Blob([]), 'empty'],
  ['a text', new Blob(['not a picture at all, whatever its name']), 'not-an-image'],
  ['a PDF', new Blob(['%PDF-1.7\n%âãÏÓ']), 'other-kind'],
  ['raw rows, which only workers exchange', ROWS, 'not-an-image'],
  ['half a header', bmp(40, 30).slice(0, 30), 'malformed'],
])('%s gives a failure with its reason', async (_, file, code) => {
  expect(codeOf(await start().probe(file))).toBe(code);
});

test('progress rises from 0 to at most 1, at most ten times a second', async () => {
  const engine = start();
  const file = bmp(6000, 4000);
  const info = ok(await engine.probe(file));
  const reported: number[] = [];
  const begin = performance.now();
  ok(await engine.run(file, jobTo(3000, info), { onProgress: ({ fraction }) => reported.push(fraction) }));
  const seconds = (performance.now() - begin) / 1000;
  expect(reported[0]).toBe(0);
  expect(reported).toEqual([...reported].sort((a, b) => a - b));
  expect(reported.at(-1)).toBeLessThanOrEqual(1);
  expect(reported.length).toBeGreaterThan(1);
  expect(reported.length).toBeLessThanOrEqual(2 + seconds * 10);
});

describe('cancelling', () => {
  test('ends a running job at once, and the next job runs', async () => {
    const engine = start({ concurrency: 1 });
    const file = bmp(6000, 4000);
    const info = ok(await engine.probe(file));
    const controller = new AbortController();
    const started = new Promise<void>((resolve) => {
      const options = {
        signal: controller.signal,
        onProgress: ({ fraction }: { fraction: number }) => fraction > 0 && resolve(),
      };
      void engine.run(file, jobTo(3000, info), options).then((outcome) => ended.push(codeOf(outcome)));
    });
    const ended: string[] = [];
    await started;
    const begin = performance.now();
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve));
    expect(ended).toEqual(['cancelled']);
    expect(performance.now() - begin).toBeLessThan(500);
    expect(codeOf(await resize(engine, bmp(100, 100), 50))).toBe('ok');
  });

  test('many waiting jobs starts no worker', async () => {
    let workers = 0;
    const assets = {
      ...ASSETS,
      get worker() {
        workers += 1;
        return ASSETS.worker;
      },
    };
    const engine = start({ assets, concurrency: 2 });
    const file = bmp(4000, 3000);
    const info = ok(await engine.probe(file));
    const controllers = Array.from({ length: 200 }, () => new AbortController());
    let hasStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      hasStarted = resolve;
    });
    const runs = controllers.map(({ signal }) =>
      engine.run(file, jobTo(2000, info), { signal, onProgress: hasStarted }),
    );
    await started;
    for (const controller of controllers) controller.abort();
    expect((await Promise.all(runs)).map(codeOf)).toEqual(controllers.map(() => 'cancelled'));
    // One worker for headers, two for pictures.
    expect(workers).toBe(3);
  });

  test('by disposing ends every job, also later ones', async () => {
    const engine = start();
    const file = bmp(4000, 3000);
    const info = ok(await engine.probe(file));
    const runs = [1, 2, 3, 4, 5].map(() => engine.run(file, jobTo(2000, info)));
    engine.dispose();
    expect((await Promise.all(runs)).map(codeOf)).toEqual(new Array(5).fill('cancelled'));
    expect(codeOf(await engine.probe(file))).toBe('cancelled');
  });
});

test('reading a header does not wait for running jobs', async () => {
  const engine = start({ concurrency: 1 });
  const file = bmp(6000, 4000);
  const info = ok(await engine.probe(file));
  let hasEnded = false;
  void engine.run(file, jobTo(3000, info)).then(() => {
    hasEnded = true;
  });
  ok(await engine.probe(await drawn('image/png')));
  expect(hasEnded).toBe(false);
});

describe('a worker that dies', () => {
  /** Starts an engine whose n-th worker runs the script of `scriptOf`. */
  function startWith(scriptOf: (n: number) => string, concurrency = 2): Engine {
    let count = 0;
    const assets = {
      ...ASSETS,
      get worker() {
        count += 1;
        return scriptOf(count);
      },
    };
    return start({ assets, concurrency });
  }

  test.each(['throws', 'traps'])(
    'with a file that %s is retried once, and other files are not affected',
    async (death) => {
      const engine = startWith(() => faultyWorkerUrl);
      const good = [1, 2, 3].map((n) => resize(engine, bmp(300, 200, `good ${n}.bmp`), 100));
      const bad = resize(engine, bmp(300, 200, `${death}.bmp`), 100);
      const late = [4, 5, 6].map((n) => resize(engine, bmp(300, 200, `good ${n}.bmp`), 100));
      expect(codeOf(await bad)).toBe('crashed');
      expect((await Promise.all([...good, ...late])).map(codeOf)).toEqual(new Array(6).fill('ok'));
    },
  );

  test('once does not fail its file', async () => {
    // The first worker reads headers; the second is warmed up and resizes first.
    const engine = startWith((n) => (n <= 2 ? faultyWorkerUrl : ASSETS.worker), 1);
    expect(codeOf(await resize(engine, bmp(300, 200, 'throws.bmp'), 100))).toBe('ok');
  });

  test('often still gives each of 50 files an outcome', async () => {
    const engine = startWith(() => faultyWorkerUrl, 4);
    const files = Array.from({ length: 50 }, (_, n) => bmp(200, 100 + n, `often dies ${n}.bmp`));
    const codes = (await Promise.all(files.map((file) => resize(engine, file, 50)))).map(codeOf);
    expect(codes.filter((code) => code !== 'ok' && code !== 'crashed')).toEqual([]);
    // About one file in eleven fails twice, so fewer than half of the files succeeding is practically impossible.
    expect(codes.filter((code) => code === 'ok').length).toBeGreaterThan(25);
  });

  test('because its script does not load gives part-missing', async () => {
    const engine = startWith(() => `${location.origin}/no/such/worker-${Date.now()}.js`);
    expect(codeOf(await engine.probe(bmp(10, 10)))).toBe('part-missing');
  });
});
