// Jobs that several real workers run together. Each must give the bytes of the golden table, like one worker and like
// the native build.
import { afterEach, describe, expect, test } from 'vitest';
import { open } from '../../../tests/golden/open.ts';
import table from '../../../tests/golden/table.json';
import type { EncoderModule } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import { isFailed, type Outcome } from '../shared/failure.ts';
import type { Decoder, ResizeResult } from '../shared/protocol.ts';
import pretendUrl from '../testing/pretend.worker.ts?worker&url';
import { ASSETS } from './assets.ts';
import { Chain } from './chain.ts';
import { Pool } from './pool.ts';
import { Runner } from './runner.ts';
import { WasmModule } from './wasm-module.ts';

const MIB = 1 << 20;
const core = new WasmModule(ASSETS.core);

/** The workers of a chain, by the names of their parts. `module` is a decoder with the script of an outside module. */
type Parts = readonly ('decoder' | 'module' | 'core' | 'encoder')[];

/** Every worker that was started, and whether it was terminated. */
const workers: { readonly part: string; readonly worker: Worker; isTerminated: boolean }[] = [];
let pool: Pool<'run' | 'rewriteMetadata'> | undefined;
let decoder: Decoder | undefined;
let encoder: EncoderModule | undefined;
afterEach(() => {
  pool?.dispose();
  workers.length = 0;
});

/** Makes a pool whose jobs run in chains. Workers for which `dies` returns true throw at their task. */
async function start(parts: Parts, dies: (part: string, count: number) => boolean = () => false) {
  const module = await core.load();
  if (isFailed(module)) throw new Error(module.failure.detail);
  const spawn = (part: string) => () => {
    const isDying = dies(part, workers.filter((one) => one.part === part).length + 1);
    const worker = new Worker(isDying ? dyingUrl() : scriptOf(part), { type: 'module' });
    const entry = { part, worker, isTerminated: false };
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => {
      entry.isTerminated = true;
      terminate();
    };
    workers.push(entry);
    return worker;
  };
  const outside = parts.find((part) => part === 'decoder' || part === 'module');
  decoder = outside && { name: 'svg', gives: 'rows' };
  encoder = parts.includes('encoder') ? 'webp' : undefined;
  const makeRunner = () =>
    new Chain({
      core: new Runner(spawn('core'), module),
      startDecoder: outside && (() => new Runner(spawn(outside), module)),
      startEncoder: () => new Runner(spawn('encoder'), module),
    });
  pool = new Pool({ concurrency: 2, memory: 1024 * MIB, makeRunner });
  return pool;
}

const scriptOf = (part: string) => (part === 'module' ? pretendUrl : ASSETS.worker);

/** A worker that starts and throws at its task. */
function dyingUrl(): string {
  const script = `addEventListener('message', ({ data }) => {
    if (data.kind === 'start') postMessage({ kind: 'started' });
    else throw new Error('thrown on purpose');
  });`;
  return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
}

function run(
  on: Pool<'run' | 'rewriteMetadata'>,
  file: Blob,
  job: ResizeJob,
  signal?: AbortSignal,
): Promise<Outcome<ResizeResult>> {
  return on.run({ task: { kind: 'run', file, job, decoder, encoder }, memory: job.memory, signal });
}

async function sumOf(outcome: Outcome<ResizeResult>): Promise<string> {
  if (isFailed(outcome)) throw new Error(JSON.stringify(outcome.failure));
  const sum = await crypto.subtle.digest('SHA-256', await outcome.blob.arrayBuffer());
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Row {
  readonly file: string;
  readonly job: ResizeJob;
  readonly sha256: string;
}

/**
 * Whether the frames of a job only increase: a job that returns to an earlier frame needs the file instead of a stream.
 */
const goesForwards = ({ job }: Row) => job.parts.every(({ frame }, i) => frame > (job.parts[i - 1]?.frame ?? -1));
/** These formats have modules of their own; web/engine/testing tests them. */
const hasModule = ({ file }: Row) => /\.(avif|heic|jxl|svg)$/.test(file);
/** A decoder in another worker decodes every pixel. */
const isFast = ({ job }: Row) => job.decoding === 'fast';
const rows = (table as unknown as readonly Row[]).filter((row) => goesForwards(row) && !hasModule(row) && !isFast(row));

/** One small row for each pair of formats. tests/golden/golden.browser.test.ts compares every row, in one worker. */
const pairOf = ({ file, job }: Row) => `${file.split('.').pop()} to ${job.output.format}`;
const ownRows = rows.filter(({ file }) => file.startsWith('tests/fixtures/'));
const onePerPair = [...new Map(ownRows.map((row) => [pairOf(row), row])).values()];

describe.each<[string, Parts]>([
  ['a decoder and the core', ['decoder', 'core']],
  ['a module and the core', ['module', 'core']],
  ['the core and an encoder', ['core', 'encoder']],
  ['a decoder, the core and an encoder', ['decoder', 'core', 'encoder']],
])('%s', (_, parts) => {
  test('give the bytes of the golden table', async () => {
    const on = await start(parts);
    for (const { file, job, sha256 } of onePerPair) {
      const blob = await open(file);
      expect([file, blob && (await sumOf(await run(on, blob, job)))]).toEqual([file, sha256]);
    }
    expect(onePerPair.length).toBeGreaterThanOrEqual(8);
  });
});

test('an animation keeps its frames, delays and number of plays', async ({ skip }) => {
  const file = await open('shared/corpus/png/image-png/issue_202.png');
  if (file === null) return skip('the corpus is not on this machine');
  const crop = { x: 0, y: 0, width: 100, height: 100 };
  const part = (frame: number) => ({ frame, crop, target: { width: 41, height: 43 }, canvas: null });
  const job: ResizeJob = {
    ...jobFor(100, 100),
    parts: Array.from({ length: 20 }, (_, frame) => part(frame)),
    output: { format: 'png', effort: 'default', palette: 'exact' },
  };
  const alone = await run(await start(['core']), file, job);
  expect(alone).toMatchObject({ frames: 20 });
  const want = await sumOf(alone);
  expect(await sumOf(await run(await start(ALL), file, job))).toBe(want);
});

/** Makes a BMP with 24 bits per pixel. */
function bmp(width: number, height: number): Blob {
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
  return new Blob([header, ...Array.from({ length: height }, () => row)]);
}

const jobFor = (width: number, height: number): ResizeJob => ({
  parts: [{ frame: 0, crop: { x: 0, y: 0, width, height }, target: { width: 600, height: 400 }, canvas: null }],
  kernel: 'lanczos3',
  light: 'auto',
  output: { format: 'jpeg', quality: 80, background: [255, 255, 255], coding: 'baseline', subsampling: 'auto' },
  metadata: 'keep-without-location',
  memory: 256 * MIB,
});

const ALL: Parts = ['decoder', 'core', 'encoder'];
const small = bmp(900, 600);

test('cancelling terminates every worker', async () => {
  const on = await start(ALL);
  const controller = new AbortController();
  const outcome = run(on, bmp(6000, 4000), jobFor(6000, 4000), controller.signal);
  controller.abort();
  expect(await outcome).toMatchObject({ failure: { code: 'cancelled' } });
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true, true]);
});

test.each(ALL)('a job is retried after a crash of the %s, and other images are not affected', async (part) => {
  const want = await sumOf(await run(await start(['core']), small, jobFor(900, 600)));
  const on = await start(ALL, (name, count) => name === part && count === 1);
  const sums = await Promise.all([0, 1].map(async () => sumOf(await run(on, small, jobFor(900, 600)))));
  expect(sums).toEqual([want, want]);
});

test.each(ALL)('a second crash of the %s is a failure of its image', async (part) => {
  const on = await start(ALL, (name, count) => name === part && count <= 2);
  expect(await run(on, small, jobFor(900, 600))).toMatchObject({ failure: { code: 'crashed' } });
  expect(await run(on, small, jobFor(900, 600))).toMatchObject({ format: 'jpeg', width: 600, height: 400 });
});

test('a failure of the decoder is the failure of the job', async () => {
  const on = await start(ALL);
  const half = small.slice(0, 40);
  expect(await run(on, half, jobFor(900, 600))).toMatchObject({ failure: { code: 'malformed', format: 'bmp' } });
  expect(await run(on, new Blob(['no image']), jobFor(900, 600))).toMatchObject({ failure: { code: 'not-an-image' } });
});

test('a chain is reused after a job', async () => {
  const on = await start(ALL);
  await sumOf(await run(on, small, jobFor(900, 600)));
  await sumOf(await run(on, small, jobFor(900, 600)));
  expect(workers.length).toBe(3);
});

test('a decoder is started for the first job that names one, and the core also works without it', async () => {
  const on = await start(['module', 'core']);
  const job = jobFor(900, 600);
  const outside = decoder;
  decoder = undefined;
  const want = await sumOf(await run(on, small, job));
  expect(workers.map(({ part }) => part)).toEqual(['core']);
  decoder = outside;
  expect(await sumOf(await run(on, small, job))).toBe(want);
  decoder = undefined;
  expect(await run(on, new Blob(['no image']), job)).toMatchObject({ failure: { code: 'not-an-image' } });
  expect(await sumOf(await run(on, small, job))).toBe(want);
  expect(workers.map(({ part, isTerminated }) => [part, isTerminated])).toEqual([
    ['core', false],
    ['module', false],
  ]);
});
