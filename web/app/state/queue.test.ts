import { beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../engine/index.ts';
import { recipeFor } from './testing/recipes.ts';
import { pictureInfo } from './testing/scripted-engine.ts';
import { startQueue } from './testing/started-queue.ts';

const NOT_AN_IMAGE: Failure = { code: 'not-an-image', detail: 'no magic number matches' };
const CRASHED: Failure = { code: 'crashed', detail: 'unreachable' };
const MALFORMED: Failure = { code: 'malformed', format: 'jpeg', detail: 'no scan' };

let { engine, recipe, queue, add, load, finish, phases, stage, idAt } = await startQueue();
beforeEach(async () => {
  ({ engine, recipe, queue, add, load, finish, phases, stage, idAt } = await startQueue());
});

describe('adding files', () => {
  it('shows them at once and reads each header', async () => {
    add('a.jpg', 'b.jpg');
    expect(phases()).toEqual(['reading', 'reading']);
    expect(stage()).toBe('reading');
    await engine.probeAll(pictureInfo(40, 30));
    expect(phases()).toEqual(['ready', 'ready']);
    expect(stage()).toBe('loaded');
    expect(queue.items.get()[0]?.info?.width).toBe(40);
  });

  it('keeps a file that is no image in the list, with the reason', async () => {
    add('notes.txt');
    await engine.probeAll({ failure: NOT_AN_IMAGE });
    expect(queue.items.get()[0]?.phase).toEqual({ phase: 'failed', failure: NOT_AN_IMAGE, resultKey: null });
    expect(queue.status.get().counts).toMatchObject({ failed: 1, unusable: 1, retryable: 0, pending: 0 });
  });

  it('does not start a run', async () => {
    await load('a.jpg');
    expect(engine.runs).toHaveLength(0);
  });
});

describe('a run', () => {
  it("sends each file's job to the engine and ends in the stage done", async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    expect(phases()).toEqual(['waiting', 'waiting']);
    expect(engine.runs[0]?.job).toMatchObject({
      parts: [{ target: { width: 1920, height: 1440 } }],
      output: { format: 'jpeg' },
    });
    expect(engine.runs[0]?.job.memory).toBeGreaterThan(0);
    await finish();
    await finish();
    expect(phases()).toEqual(['done', 'done']);
    expect(stage()).toBe('done');
    expect(queue.status.get().counts).toMatchObject({ done: 2, before: 2000, after: 200, unsaved: 2 });
  });

  it('computes its fraction from finished files and the progress of running ones', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    engine.runs[0]?.report({ fraction: 0.5 });
    expect(phases()).toEqual(['running', 'waiting']);
    expect(queue.fraction.get()).toBe(0.25);
    await finish();
    expect(queue.fraction.get()).toBe(0.5);
    expect(queue.status.get().run).toMatchObject({ state: 'running', total: 2, finished: 1 });
  });

  it("notifies only the running item's row of progress", async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    engine.runs[0]?.report({ fraction: 0.1 });
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    queue.list.get()[1]?.item.subscribe(count);
    queue.list.subscribe(count);
    queue.status.subscribe(count);
    engine.runs[0]?.report({ fraction: 0.6 });
    expect(calls).toBe(0);
    expect(queue.items.get()[0]?.phase).toMatchObject({ phase: 'running', fraction: 0.6, images: 1 });
  });

  it('keeps an image that is already smaller, without the engine', async () => {
    add('small.jpg');
    await engine.probeAll(pictureInfo(300, 200));
    queue.resize();
    expect(engine.runs).toHaveLength(0);
    expect(queue.items.get()[0]?.phase).toMatchObject({ phase: 'kept', reason: 'already-smaller' });
    expect(stage()).toBe('done');
  });

  it('refuses a size that the format cannot hold, without the engine', async () => {
    recipe.set(recipeFor({ width: '70000', dontEnlarge: false }));
    await load('a.jpg');
    queue.resize();
    expect(queue.items.get()[0]?.phase).toMatchObject({
      phase: 'failed',
      failure: { code: 'too-long', format: 'jpeg', max: 65_535 },
    });
    expect(stage()).toBe('all-failed');
  });

  it('keeps an existing result when it refuses a size', async () => {
    await load('a.jpg');
    queue.resize();
    await finish();
    recipe.set(recipeFor({ width: '70000', dontEnlarge: false }));
    queue.resize();
    expect(phases()).toEqual(['done']);
    expect(queue.status.get().counts).toMatchObject({ done: 1, stale: 1, unsaved: 1 });
  });

  it('continues after a file fails', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    await engine.finish({ failure: MALFORMED });
    await finish();
    expect(phases()).toEqual(['failed', 'done']);
    expect(stage()).toBe('some-failed');
  });

  it('does nothing while the settings are invalid', async () => {
    await load('a.jpg');
    recipe.set(null);
    queue.resize();
    expect(phases()).toEqual(['ready']);
  });
});

describe('cancelling', () => {
  it('keeps finished files and aborts the others', async () => {
    await load('a.jpg', 'b.jpg', 'c.jpg');
    queue.resize();
    await finish();
    const signals = engine.runs.map(({ signal }) => signal);
    queue.cancel();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(phases()).toEqual(['done', 'ready', 'ready']);
    expect(stage()).toBe('cancelled');
  });

  it('allows the same files to run again', async () => {
    await load('a.jpg');
    queue.resize();
    queue.cancel();
    queue.resize();
    await finish();
    expect(phases()).toEqual(['done']);
  });

  it('a second run restores the results that it has not replaced', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    await finish(111);
    await finish(222);
    recipe.set(recipeFor({ width: '800' }));
    queue.resize();
    await finish(11);
    queue.cancel();
    const sizes = queue.items.get().map(({ phase }) => (phase.phase === 'done' ? phase.outputs[0].byteLength : null));
    expect(sizes).toEqual([11, 222]);
    expect(queue.status.get().counts).toMatchObject({ done: 2, stale: 1, pending: 1, unsaved: 2 });
  });

  it('a retry restores the previous failure', async () => {
    await load('a.jpg');
    queue.resize();
    await engine.finish({ failure: CRASHED });
    queue.retry();
    queue.cancel();
    expect(queue.items.get()[0]?.phase).toMatchObject({ phase: 'failed', failure: CRASHED });
    expect(queue.status.get().counts.retryable).toBe(1);
  });
});

describe('a change of settings after a run', () => {
  beforeEach(async () => {
    await load('a.jpg');
    queue.resize();
    await finish();
  });

  it('makes the result stale; it can still be saved', () => {
    recipe.set(recipeFor({ width: '800' }));
    expect(stage()).toBe('stale');
    expect(queue.status.get().counts).toMatchObject({ done: 1, stale: 1, pending: 1 });
  });

  it('and back leaves the result valid', () => {
    recipe.set(recipeFor({ width: '800' }));
    recipe.set(recipeFor());
    expect(stage()).toBe('done');
  });

  it('to an equivalent form leaves the result valid', () => {
    recipe.set(recipeFor({ mode: 'percent', percent: '48' }));
    expect(stage()).toBe('done');
  });

  it('of file names only leaves the result valid', () => {
    recipe.set(recipeFor({ fileNames: '{n}' }));
    expect(stage()).toBe('done');
  });

  it('leads to a run with the new size', async () => {
    recipe.set(recipeFor({ width: '800' }));
    queue.resize();
    expect(engine.runs[0]?.job.parts[0]?.target).toEqual({ width: 800, height: 600 });
    await finish();
    expect(stage()).toBe('done');
  });
});

describe('retry', () => {
  it.each([
    ['a crash', CRASHED, true],
    ['too little memory', { code: 'memory', need: 9, have: 1, detail: '' } satisfies Failure, true],
    ['a damaged file', MALFORMED, false],
    ['a file that was moved', { code: 'read', detail: '' } satisfies Failure, false],
  ])('after %s', async (_what, failure, again) => {
    await load('a.jpg');
    queue.resize();
    await engine.finish({ failure });
    expect(queue.status.get().counts.retryable).toBe(again ? 1 : 0);
    queue.retry();
    expect(phases()).toEqual([again ? 'waiting' : 'failed']);
  });

  it('of one file does not run the others', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    await engine.finish({ failure: CRASHED });
    await engine.finish({ failure: CRASHED });
    queue.retry(idAt(1));
    expect(phases()).toEqual(['failed', 'waiting']);
  });
});

describe('removing', () => {
  it('and undo restore the item at its place, with its result', async () => {
    await load('a.jpg', 'b.jpg', 'c.jpg');
    queue.resize();
    for (let i = 0; i < 3; i += 1) await finish();
    queue.remove(idAt(1));
    expect(queue.items.get().map(({ path }) => path)).toEqual(['a.jpg', 'c.jpg']);
    queue.undo();
    expect(queue.items.get().map(({ path }) => path)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    expect(phases()).toEqual(['done', 'done', 'done']);
  });

  it('all and undo restore the order', async () => {
    await load('a.jpg', 'b.jpg', 'c.jpg');
    queue.clear();
    expect(stage()).toBe('empty');
    queue.undo();
    expect(queue.items.get().map(({ path }) => path)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  });

  it('a running file aborts its work, and the run ends', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    await finish();
    queue.remove(idAt(1));
    expect(engine.runs).toHaveLength(0);
    expect(stage()).toBe('done');
    queue.undo();
    expect(phases()).toEqual(['done', 'ready']);
  });

  it('all during a run ignores progress that is reported late', async () => {
    await load('a.jpg', 'b.jpg', 'c.jpg');
    queue.resize();
    const [, second, third] = engine.runs;
    const errors: unknown[] = [];
    // As in a pool: the place of an aborted file starts another file.
    second?.signal?.addEventListener('abort', () => {
      try {
        third?.report({ fraction: 0.5 });
      } catch (error) {
        errors.push(error);
      }
    });
    queue.clear();
    expect(errors).toEqual([]);
    queue.undo();
    expect(phases()).toEqual(['ready', 'ready', 'ready']);
  });

  it('a file during its second run and undo restore its first result', async () => {
    await load('a.jpg');
    queue.resize();
    await finish();
    recipe.set(recipeFor({ width: '800' }));
    queue.resize();
    queue.remove(idAt(0));
    queue.undo();
    expect(phases()).toEqual(['done']);
  });

  it('a file during header reading and undo read the header again', async () => {
    add('a.jpg');
    queue.remove(idAt(0));
    expect(engine.probes).toHaveLength(0);
    queue.undo();
    await engine.probeAll(pictureInfo(40, 30));
    expect(phases()).toEqual(['ready']);
  });

  it('is final after forgetRemoval', async () => {
    await load('a.jpg');
    queue.remove(idAt(0));
    queue.forgetRemoval();
    queue.undo();
    expect(queue.items.get()).toEqual([]);
  });
});

describe('saving', () => {
  it('marks results as saved, so that no prompt is needed before leaving', async () => {
    await load('a.jpg');
    queue.resize();
    await finish();
    expect(queue.status.get().counts.unsaved).toBe(1);
    queue.markSaved([idAt(0)]);
    expect(queue.status.get().counts.unsaved).toBe(0);
  });
});

describe('a thousand files', () => {
  it('notify listeners once for each change of the queue, not once for each file', async () => {
    let counts = 0;
    queue.status.subscribe(() => {
      counts += 1;
    });
    add(...Array.from({ length: 1000 }, (_, i) => `${i}.jpg`));
    expect(counts).toBe(1);
    await engine.probeAll(pictureInfo(300, 200));
    counts = 0;
    queue.resize();
    expect(counts).toBe(1);
    expect(queue.status.get().counts.kept).toBe(1000);
    queue.clear();
    expect(counts).toBe(2);
  });
});
