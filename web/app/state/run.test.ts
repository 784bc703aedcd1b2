// A run while files come and go and settings change.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../engine/index.ts';
import { recipeOf } from './item.ts';
import { statusMessages } from './status-messages.ts';
import { recipeFor } from './testing/recipes.ts';
import { pictureInfo } from './testing/scripted-engine.ts';
import { startQueue } from './testing/started-queue.ts';

const NOT_AN_IMAGE: Failure = { code: 'not-an-image', detail: 'no magic number matches' };

let { engine, recipe, queue, add, load, finish, phases, stage, idAt } = await startQueue();
beforeEach(async () => {
  ({ engine, recipe, queue, add, load, finish, phases, stage, idAt } = await startQueue());
});

describe('files that are added during a run', () => {
  it('take part in it, with its settings', async () => {
    await load('a.jpg');
    queue.resize();
    add('b.jpg', 'notes.txt');
    expect(queue.status.get().run).toMatchObject({ state: 'running', total: 3, finished: 0 });
    recipe.set(recipeFor({ width: '100' }));
    await finish();
    expect(stage()).toBe('running');
    await engine.probes.shift()?.answer(pictureInfo(4000, 3000));
    await engine.probeAll({ failure: NOT_AN_IMAGE });
    expect(phases()).toEqual(['done', 'waiting', 'failed']);
    expect(engine.runs[0]?.job).toMatchObject({ parts: [{ target: { width: 1920, height: 1440 } }] });
    await finish();
    expect(phases()).toEqual(['done', 'done', 'failed']);
    expect(queue.status.get().run).toEqual({ state: 'finished' });
  });

  it('stay in the list after a cancel, read or not', async () => {
    await load('a.jpg');
    queue.resize();
    add('b.jpg', 'c.jpg');
    await engine.probes.shift()?.answer(pictureInfo(4000, 3000));
    queue.cancel();
    expect(phases()).toEqual(['ready', 'ready', 'reading']);
    await engine.probeAll(pictureInfo(4000, 3000));
    expect(phases()).toEqual(['ready', 'ready', 'ready']);
    expect(engine.runs).toHaveLength(0);
  });

  it('can be removed again before their headers have been read', async () => {
    await load('a.jpg');
    queue.resize();
    add('b.jpg');
    queue.remove(idAt(1));
    await finish();
    expect(queue.status.get().run).toEqual({ state: 'finished' });
  });
});

describe('an image that needs more memory than is available', () => {
  const memory: Failure = { code: 'memory', need: 3 << 30, have: 1 << 30, detail: '' };

  it('can be tried with all the memory of a worker, also during the run', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    const limit = engine.runs[0]?.job.memory ?? 0;
    await engine.finish({ failure: memory });
    expect(phases()).toEqual(['failed', 'waiting']);
    queue.tryAnyway(idAt(0));
    expect(phases()).toEqual(['waiting', 'waiting']);
    expect(queue.status.get().run).toMatchObject({ state: 'running', total: 3, finished: 1 });
    expect(engine.runs.map(({ job }) => job.memory)).toEqual([limit, 2 ** 32]);
    await finish();
    await finish();
    expect(phases()).toEqual(['done', 'done']);
    expect(queue.status.get().run).toEqual({ state: 'finished' });
  });

  it('is said to have too little memory, without numbers, if that is not enough', async () => {
    await load('a.jpg');
    queue.resize();
    await engine.finish({ failure: memory });
    queue.tryAnyway(idAt(0));
    await engine.finish({ failure: { ...memory, have: 2 ** 32 } });
    expect(queue.items.get()[0]?.phase).toMatchObject({ phase: 'failed', failure: { code: 'memory', have: 0 } });
  });
});

describe('settings that change during a run', () => {
  it('do not change what the rows of the run promise', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    const [before] = queue.items.get();
    recipe.set(recipeFor({ width: '100' }));
    expect(queue.items.get().map((item) => recipeOf(item, recipe.get())?.size)).toEqual(
      [1, 2].map(() => recipeOf(before!, null)?.size),
    );
    await finish();
    await finish();
    expect(stage()).toBe('stale');
  });

  it('are used at once after a restart', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    await finish();
    recipe.set(recipeFor({ width: '100' }));
    queue.restart();
    expect(engine.runs.map(({ job }) => job.parts[0]?.target)).toEqual([1, 2].map(() => ({ width: 100, height: 75 })));
    expect(queue.status.get().run).toMatchObject({ state: 'running', total: 2 });
  });

  it('do not hide that a run was stopped', async () => {
    await load('a.jpg', 'b.jpg');
    queue.resize();
    await finish();
    recipe.set(recipeFor({ width: '100' }));
    queue.cancel();
    expect(statusMessages(queue.status.get()).map(({ key }) => key)).toEqual(['status.cancelled', 'status.stale']);
  });
});

describe('several removals', () => {
  it('are undone together, each item at its place', async () => {
    await load('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg');
    queue.remove(idAt(1));
    queue.remove(idAt(1));
    queue.remove(idAt(0));
    expect(queue.removal.get()).toHaveLength(3);
    queue.undo();
    expect(queue.items.get().map(({ path }) => path)).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']);
    expect(queue.removal.get()).toEqual([]);
  });
});
