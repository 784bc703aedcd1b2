// Files with several outputs, and kept files with rewritten metadata.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResizeJob } from '../../domain/job.ts';
import type { Recipe } from '../../domain/recipe.ts';
import type { Failure, ImageInfo } from '../../engine/index.ts';
import { Queue } from './queue.ts';
import { Signal } from './signal.ts';
import { recipeFor } from './testing/recipes.ts';
import { fileNamed, pictureInfo, resultOf, ScriptedEngine } from './testing/scripted-engine.ts';

const MALFORMED: Failure = { code: 'malformed', format: 'tiff', detail: 'no strips' };

const ANY_JOB: ResizeJob = {
  parts: [],
  kernel: 'box',
  light: 'auto',
  output: { format: 'jpeg', quality: null, background: [0, 0, 0], coding: 'baseline', subsampling: 'auto' },
  metadata: 'keep',
  memory: 0,
};

let engine: ScriptedEngine;
let queue: Queue;

beforeEach(async () => {
  engine = new ScriptedEngine();
  queue = new Queue(() => engine, new Signal<Recipe | null>(recipeFor({ format: 'png' })));
  await queue.load();
});

async function load(name: string, info: ImageInfo): Promise<void> {
  queue.add([{ file: fileNamed(name), path: name }]);
  await engine.probeAll(info);
}

const item = () => queue.items.get()[0];

test('rewrites the metadata of a kept original', async () => {
  await load('small.jpg', pictureInfo(300, 200, { format: 'png', metadata: 'location' }));
  queue.resize();
  expect(item()?.phase.phase).toBe('waiting');
  const [call] = engine.metadataRewrites;
  expect(call?.changes.policy).toBe('keep-without-location');
  await call?.answer(resultOf(ANY_JOB, 77));
  expect(item()?.phase).toMatchObject({ phase: 'kept', result: { byteLength: 77 } });
  expect(queue.status.get().counts).toMatchObject({ kept: 1, after: 77 });
});

test('makes a PNG of each page of a TIFF, and warns about pages that could not be read', async () => {
  const frameSizes = [1, 2, 3].map((page) => ({ width: 4000, height: 1000 * page }));
  await load('scan.tif', pictureInfo(4000, 1000, { format: 'tiff', frames: 3, sequence: 'pages', frameSizes }));
  queue.resize();
  expect(engine.runs.map(({ job }) => job.parts.map(({ frame, target }) => [frame, target.height]))).toEqual([
    [[0, 480]],
    [[1, 960]],
    [[2, 1440]],
  ]);
  engine.runs[1]?.report({ fraction: 0.75 });
  expect(item()?.phase).toMatchObject({ phase: 'running', fraction: 0.25, images: 3 });
  await engine.finish(resultOf(ANY_JOB, 10));
  await engine.finish({ failure: MALFORMED });
  await engine.finish(resultOf(ANY_JOB, 30));
  const skipped = { code: 'frames-skipped', skipped: 1, of: 3 };
  expect(item()?.phase).toMatchObject({
    phase: 'done',
    outputs: [
      { byteLength: 10, frame: 0, warnings: [skipped] },
      { byteLength: 30, frame: 2, warnings: [] },
    ],
  });
  expect(queue.status.get().counts).toMatchObject({ done: 1, after: 40 });
});

test('one animation can stay one when a format without animation is chosen for all files', async () => {
  const recipe = new Signal<Recipe | null>(recipeFor({ format: 'jpeg' }));
  queue = new Queue(() => engine, recipe);
  await queue.load();
  await load('a.gif', pictureInfo(4000, 3000, { format: 'gif', frames: 3, sequence: 'animation' }));
  const jobs = () => {
    queue.resize();
    const described = engine.runs.map(({ job }) => [job.output.format, job.parts.length]);
    queue.cancel();
    return described;
  };
  const id = item()?.id ?? 0;
  expect(jobs()).toEqual([['jpeg', 1]]);
  queue.setStaysAnimated(id, true);
  expect(jobs()).toEqual([['gif', 3]]);
  recipe.set(recipeFor({ format: 'png' }));
  expect(jobs()).toEqual([['png', 3]]);
  recipe.set(recipeFor({ format: 'jpeg' }));
  queue.setStaysAnimated(id, false);
  expect(jobs()).toEqual([['jpeg', 1]]);
});

test('counts the sizes in the icons of the list and the formats of the files', async () => {
  const frameSizes = [48, 32, 16].map((side) => ({ width: side, height: side }));
  await load('app.ico', pictureInfo(48, 48, { format: 'ico', frames: 3, sequence: 'sizes', frameSizes }));
  await load('small.ico', pictureInfo(32, 32, { format: 'ico' }));
  await load('photo.jpg', pictureInfo(4000, 3000));
  const { counts } = queue.status.get();
  expect(counts.entries).toEqual([16, 32, 48]);
  expect([...counts.formats]).toEqual(['ico', 'jpeg']);
});

describe('an image that is only turned', () => {
  const turn = async () => {
    await load('photo.jpg', pictureInfo(640, 480, { format: 'jpeg' }));
    const id = item()?.id;
    if (id === undefined) throw new Error('there is no item');
    queue.turn(id, 6);
    queue.resize();
    return engine.metadataRewrites[0];
  };

  beforeEach(async () => {
    queue = new Queue(() => engine, new Signal<Recipe | null>(recipeFor()));
    await queue.load();
  });

  test('is copied without loss', async () => {
    const call = await turn();
    expect(call?.changes).toEqual({ policy: 'keep-without-location', turn: 6 });
    await call?.answer(resultOf(ANY_JOB, 77));
    expect(engine.runs).toEqual([]);
    expect(item()?.phase).toMatchObject({ phase: 'done', outputs: [{ byteLength: 77, turn: 6 }] });
  });

  test('is encoded if its file cannot be turned without loss', async () => {
    const call = await turn();
    await call?.answer({ failure: { code: 'unsupported', format: 'jpeg', feature: 'turning', detail: '' } });
    expect(engine.runs[0]?.job.parts[0]).toMatchObject({ turn: 6 });
    await engine.finish(resultOf(ANY_JOB, 99));
    expect(item()?.phase).toMatchObject({ phase: 'done', outputs: [{ byteLength: 99, turn: 6 }] });
  });

  test('is cancelled like every other', async () => {
    await turn();
    queue.cancel();
    expect(engine.runs).toEqual([]);
    expect(item()?.phase.phase).toBe('ready');
  });
});

describe('an original whose format lets the metadata of most files be rewritten', () => {
  const REFUSED: Failure = { code: 'unsupported', format: 'avif', feature: 'metadata', detail: '' };

  const keep = async (recipe: Recipe) => {
    queue = new Queue(() => engine, new Signal<Recipe | null>(recipe));
    await queue.load();
    await load('small.avif', pictureInfo(300, 200, { format: 'avif', metadata: 'location' }));
    queue.resize();
  };

  test('is copied', async () => {
    await keep(recipeFor());
    await engine.metadataRewrites[0]?.answer(resultOf(ANY_JOB, 77));
    expect(engine.runs).toEqual([]);
    expect(item()?.phase).toMatchObject({ phase: 'kept', rewrittenFor: 'keep-without-location' });
  });

  test('is encoded if its file does not allow that', async () => {
    await keep(recipeFor());
    await engine.metadataRewrites[0]?.answer({ failure: REFUSED });
    await engine.finish(resultOf(ANY_JOB, 99));
    expect(item()?.phase).toMatchObject({ phase: 'done', outputs: [{ byteLength: 99 }] });
  });

  test('is encoded if its copy is longer than the limit', async () => {
    await keep(recipeFor({ fileLimit: '1000' }));
    await engine.metadataRewrites[0]?.answer(resultOf(ANY_JOB, 1_024_001));
    await vi.waitFor(() => expect(engine.runs).toHaveLength(1));
  });

  test('gives way to a larger result if its file does not allow that', async () => {
    await keep(recipeFor({ quality: 100 }));
    expect(engine.metadataRewrites).toEqual([]);
    await engine.finish(resultOf(ANY_JOB, 9_999_999));
    expect(engine.metadataRewrites).toHaveLength(1);
    await engine.metadataRewrites[0]?.answer({ failure: REFUSED });
    expect(item()?.phase).toMatchObject({ phase: 'done', outputs: [{ byteLength: 9_999_999 }] });
  });
});
