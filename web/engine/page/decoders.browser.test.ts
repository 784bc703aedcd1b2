// The engine with a module outside the core: real workers, and a pretend module in the place of SVG's.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FORMATS } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import { isFailed, type Outcome } from '../shared/failure.ts';
import type { ResizeResult } from '../shared/protocol.ts';
import pretendUrl from '../testing/pretend.worker.ts?worker&url';
import { SVG_HEAD } from '../testing/pretend-head.ts';
import { ASSETS } from './assets.ts';
import { createEngine, type Engine } from './engine.ts';

const [WIDTH, HEIGHT] = [900, 600];
const MIB = 1 << 20;

const engines: Engine[] = [];
let started = 0;
beforeEach(() => {
  Object.assign(FORMATS.svg, { reader: 'svg', isDrawing: false });
});
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose();
});

/** An engine whose SVG module has this worker. */
function start(worker = pretendUrl): Engine {
  started = 0;
  const svg = {
    wasm: ASSETS.core,
    get worker() {
      started += 1;
      return worker;
    },
  };
  const engine = createEngine({ warmWhenIdle: false, concurrency: 2, assets: { ...ASSETS, decoders: { svg } } });
  engines.push(engine);
  return engine;
}

/** A BMP of 24 bits a pixel. */
function bmp(width = WIDTH, height = HEIGHT): Blob {
  const header = new DataView(new ArrayBuffer(54));
  header.setUint16(0, 0x424d);
  header.setUint32(2, 54 + width * height * 3, true);
  header.setUint32(10, 54, true);
  header.setUint32(14, 40, true);
  header.setInt32(18, width, true);
  header.setInt32(22, height, true);
  header.setUint16(26, 1, true);
  header.setUint16(28, 24, true);
  const row = Uint8Array.from({ length: width * 3 }, (_, i) => (i * i * 7 + i) & 0xff);
  return new Blob([header, ...Array.from({ length: height }, () => row)]);
}

const plain = bmp();
const foreign = () => new File([SVG_HEAD, plain], 'foreign.svg');

const job: ResizeJob = {
  parts: [
    {
      frame: 0,
      crop: { x: 0, y: 0, width: WIDTH, height: HEIGHT },
      target: { width: 300, height: 200 },
      canvas: null,
    },
  ],
  kernel: 'lanczos3',
  light: 'auto',
  output: { format: 'png', effort: 'default', palette: 'exact' },
  metadata: 'remove',
  memory: 64 * MIB,
};

async function bytesOf(outcome: Outcome<ResizeResult>): Promise<string> {
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  const sum = await crypto.subtle.digest('SHA-256', await outcome.blob.arrayBuffer());
  return new Uint8Array(sum).join(' ');
}

test('a header is read by the module, which is not started for other files', async () => {
  const engine = start();
  expect(await engine.probe(plain)).toMatchObject({ format: 'bmp', width: WIDTH });
  expect(started).toBe(0);
  expect(await engine.probe(foreign())).toMatchObject({ width: WIDTH, height: HEIGHT });
  expect(started).toBe(1);
});

test('a job gives the same bytes as with the core alone, whether the header was read before or not', async () => {
  const engine = start();
  const want = await bytesOf(await engine.run(plain, job));
  const known = foreign();
  await engine.probe(known);
  expect(await bytesOf(await engine.run(known, job))).toBe(want);
  expect(await bytesOf(await engine.run(foreign(), job))).toBe(want);
  const many = await Promise.all([1, 2, 3, 4].map(() => engine.run(foreign(), job)));
  expect(new Set(await Promise.all(many.map(bytesOf)))).toEqual(new Set([want]));
});

test('a failure of the module is the failure of its file', async () => {
  const engine = start();
  const half = new File([SVG_HEAD, plain.slice(0, 40)], 'half.svg');
  expect(await engine.probe(half)).toMatchObject({ failure: { code: 'malformed' } });
  expect(await engine.run(half, job)).toMatchObject({ failure: { code: 'malformed' } });
  expect(await engine.run(foreign(), job)).toMatchObject({ format: 'png' });
});

test('a script of the module that does not load is a missing part, and costs no other file anything', async () => {
  const engine = start(`${location.origin}/no/such/worker-${Date.now()}.js`);
  expect(await engine.probe(foreign())).toMatchObject({ failure: { code: 'part-missing' } });
  const file = foreign();
  const outcomes = await Promise.all([engine.run(file, job), engine.run(plain, job)]);
  expect(outcomes).toMatchObject([{ failure: { code: 'part-missing' } }, { format: 'png' }]);
});

test('cancelling a job of the module leaves the engine usable', async () => {
  const engine = start();
  const file = foreign();
  await engine.probe(file);
  const controller = new AbortController();
  const outcome = engine.run(file, job, {
    signal: controller.signal,
    onProgress: () => queueMicrotask(() => controller.abort()),
  });
  expect(await outcome).toMatchObject({ failure: { code: 'cancelled' } });
  expect(await engine.run(file, job)).toMatchObject({ format: 'png' });
});

test('the parts of a drawing come from the module in their target size', async () => {
  Object.assign(FORMATS.svg, { isDrawing: true });
  const engine = start();
  const [part] = job.parts;
  if (part === undefined) throw new Error('the job has no part');
  const drawn = bmp(part.target.width, part.target.height);
  const whole = { ...job, parts: [{ ...part, crop: { x: 0, y: 0, ...part.target } }] };
  const want = await bytesOf(await engine.run(drawn, whole));
  // The crop is that of the drawing, which is larger than what the module draws.
  expect(await bytesOf(await engine.run(new File([SVG_HEAD, drawn], 'drawing.svg'), job))).toBe(want);
});

test('a drawing that stays one is written by the module alone', async () => {
  Object.assign(FORMATS.svg, { isDrawing: true });
  const engine = start();
  const file = foreign();
  await engine.probe(file);
  const outcome = await engine.run(file, { ...job, output: { format: 'svg' } });
  expect(outcome).toMatchObject({ format: 'svg', width: 300, height: 200, byteLength: file.size });
  if (isFailed(outcome)) return;
  expect([outcome.blob.type, outcome.blob.size]).toEqual(['image/svg+xml', file.size]);
});
