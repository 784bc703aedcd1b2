// The requests for thumbnails: their order, their limit and their cache. Drawing is tested in tests/e2e.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImageInfo } from '../../engine/index.ts';
import { fileNamed, pictureInfo, resultOf, ScriptedEngine } from '../state/testing/scripted-engine.ts';
import { THUMBNAIL_PIXELS, type ThumbnailSource, Thumbnails } from './thumbnails.ts';

/** A pending call of createImageBitmap. */
interface Decoding {
  readonly blob: Blob;
  readonly options: ImageBitmapOptions | undefined;
  readonly resolve: (bitmap: ImageBitmap) => void;
  readonly reject: () => void;
}

let decodings: Decoding[];
let engine: ScriptedEngine;
let thumbnails: Thumbnails;

beforeEach(() => {
  decodings = [];
  vi.stubGlobal(
    'createImageBitmap',
    (blob: Blob, options?: ImageBitmapOptions) =>
      new Promise((resolve, reject) => {
        decodings.push({ blob, options, resolve, reject: () => reject(new DOMException('cannot be decoded')) });
      }),
  );
  engine = new ScriptedEngine();
  thumbnails = new Thumbnails((file, job, options) => engine.run(file, job, options));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const source = (id: number, info: ImageInfo | null = pictureInfo(4000, 3000)): ThumbnailSource => ({
  id,
  file: fileNamed(`${id}.jpg`),
  info,
});

const bitmap = () => ({ close: vi.fn() }) as unknown as ImageBitmap;
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));
const request = (from: ThumbnailSource, signal = new AbortController().signal) => thumbnails.request(from, signal);

describe('decoding in the browser', () => {
  it('scales an image so that its shorter side fills the square', async () => {
    const made = bitmap();
    const asked = request(source(1, pictureInfo(4000, 3000)));
    expect(decodings[0]?.options).toEqual({ resizeHeight: THUMBNAIL_PIXELS, resizeQuality: 'medium' });
    decodings[0]?.resolve(made);
    expect(await asked).toBe(made);
  });

  it('handles two images at a time, in the order of the requests', async () => {
    const asked = [1, 2, 3].map((id) => request(source(id)));
    expect(decodings.map(({ blob }) => (blob as File).name)).toEqual(['1.jpg', '2.jpg']);
    decodings[1]?.resolve(bitmap());
    await asked[1];
    expect(decodings.map(({ blob }) => (blob as File).name)).toEqual(['1.jpg', '2.jpg', '3.jpg']);
  });

  it('skips a row that was scrolled away before its turn', async () => {
    const away = new AbortController();
    const first = [request(source(1)), request(source(2))];
    const third = request(source(3), away.signal);
    away.abort();
    for (const { resolve } of decodings) resolve(bitmap());
    await Promise.all(first);
    expect(await third).toBeNull();
    expect(decodings).toHaveLength(2);
  });

  it('skips images of more than 50 megapixels and images without a header', async () => {
    expect(await request(source(1, pictureInfo(10_000, 5001, { format: 'png' })))).toBeNull();
    expect(await request(source(2, null))).toBeNull();
    expect(decodings).toEqual([]);
    expect(engine.runs).toEqual([]);
  });
});

describe('decoding in the engine', () => {
  it('makes the thumbnail if the browser cannot decode the image', async () => {
    const made = bitmap();
    const asked = request(source(1, pictureInfo(3000, 4000, { format: 'tiff' })));
    decodings[0]?.reject();
    await settled();
    const [run] = engine.runs;
    expect(run?.job.parts[0]?.target).toEqual({ width: 112, height: 149 });
    if (run !== undefined) await run.answer(resultOf(run.job));
    decodings[1]?.resolve(made);
    expect(await asked).toBe(made);
  });

  it('decodes a large JPEG at a fraction of its size, and the browser does not decode it', async () => {
    const made = bitmap();
    const asked = request(source(1, pictureInfo(12_000, 9000)));
    await settled();
    const [run] = engine.runs;
    expect(decodings).toEqual([]);
    expect(run?.job.decoding).toBe('fast');
    if (run !== undefined) await run.answer(resultOf(run.job));
    decodings[0]?.resolve(made);
    expect(await asked).toBe(made);
  });

  it('gives no thumbnail if it fails, and is not tried again', async () => {
    const from = source(1);
    const asked = request(from);
    decodings[0]?.reject();
    await settled();
    await engine.finish({ failure: { code: 'malformed', format: 'tiff', detail: 'no strips' } });
    expect(await asked).toBeNull();
    expect(await request(from)).toBeNull();
    expect(decodings).toHaveLength(1);
  });
});

it('the cache holds 200 thumbnails and closes the least recently used one', async () => {
  const made = Array.from({ length: 201 }, bitmap);
  const make = async (id: number) => {
    const asked = request(source(id));
    decodings.at(-1)?.resolve(made[id] as ImageBitmap);
    await asked;
  };
  for (let id = 0; id < 200; id += 1) await make(id);
  expect(await request(source(0))).toBe(made[0]);
  await make(200);
  expect(made.flatMap(({ close }, id) => (vi.mocked(close).mock.calls.length > 0 ? [id] : []))).toEqual([1]);
});

it('one observer reports the visibility of every row', () => {
  let report: (entries: { target: Element; isIntersecting: boolean }[]) => void = () => undefined;
  const observed = new Set<Element>();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: typeof report) {
        report = callback;
      }
      observe = (element: Element) => observed.add(element);
      unobserve = (element: Element) => observed.delete(element);
    },
  );
  const [first, second] = [{} as Element, {} as Element];
  const changes: string[] = [];
  const unwatch = thumbnails.visibility.watch(first, (visible) => changes.push(`first ${visible}`));
  thumbnails.visibility.watch(second, (visible) => changes.push(`second ${visible}`));
  report([
    { target: first, isIntersecting: true },
    { target: second, isIntersecting: false },
  ]);
  unwatch();
  report([{ target: first, isIntersecting: false }]);
  expect(changes).toEqual(['first true', 'second false']);
  expect([...observed]).toEqual([second]);
});
