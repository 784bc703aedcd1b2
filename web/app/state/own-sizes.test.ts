// Items with a size of their own.
import { beforeEach, expect, test } from 'vitest';
import { isPending, planOf } from './item-plan.ts';
import { exampleOf } from './plans.ts';
import { recipeFor } from './testing/recipes.ts';
import { startQueue } from './testing/started-queue.ts';

const px = (value: number) => ({ unit: 'px', value }) as const;
const SMALL = { width: px(400), height: null };

let { engine, recipe, queue, load, finish, phases, idAt } = await startQueue();
beforeEach(async () => {
  ({ engine, recipe, queue, load, finish, phases, idAt } = await startQueue());
});

const targets = () => engine.runs.map(({ job }) => job.parts.map(({ target }) => target.width));
const item = (place: number) => queue.items.get()[place]!;

test('only this item gets the size, whatever the settings are', async () => {
  await load('a.jpg', 'b.jpg');
  queue.setOwnSize(idAt(1), SMALL);
  queue.resize();
  expect(targets()).toEqual([[1920], [400]]);
  queue.cancel();
  recipe.set(recipeFor({ mode: 'widths', widths: '480, 960' }));
  queue.resize();
  expect(targets()).toEqual([[960], [480], [400]]);
});

test('a result becomes stale with its own size only, and valid again with the common one', async () => {
  await load('a.jpg', 'b.jpg');
  queue.resize();
  await finish();
  await finish();
  queue.setOwnSize(idAt(0), SMALL);
  expect([0, 1].map((place) => isPending(item(place), recipe.get()))).toEqual([true, false]);
  recipe.set(recipeFor({ width: '100' }));
  expect(planOf(item(0), recipe.get())?.size).toEqual({ width: 400, height: 300 });
  recipe.set(recipeFor());
  queue.setOwnSize(idAt(0), null);
  expect(isPending(item(0), recipe.get())).toBe(false);
});

test('a size set during a run does not change what the row of the run promises', async () => {
  await load('a.jpg');
  queue.setOwnSize(idAt(0), SMALL);
  queue.resize();
  queue.setOwnSize(idAt(0), { width: px(100), height: null });
  const { phase } = item(0);
  expect('recipe' in phase && planOf(item(0), phase.recipe)?.size).toEqual({ width: 400, height: 300 });
  await finish();
  expect(phases()).toEqual(['done']);
  expect(planOf(item(0), recipe.get())?.size).toEqual({ width: 100, height: 75 });
  expect(isPending(item(0), recipe.get())).toBe(true);
});

test('the size survives a removal that is undone', async () => {
  await load('a.jpg');
  queue.setOwnSize(idAt(0), SMALL);
  queue.clear();
  queue.undo();
  expect(item(0).ownSize).toEqual(SMALL);
});

test('the example of the settings is an item without a size of its own', async () => {
  await load('a.jpg', 'b.jpg');
  queue.setOwnSize(idAt(0), SMALL);
  expect(exampleOf(queue.items.get(), recipe.get())?.item.path).toBe('b.jpg');
  queue.setOwnSize(idAt(1), SMALL);
  expect(exampleOf(queue.items.get(), recipe.get())).toBeNull();
});
