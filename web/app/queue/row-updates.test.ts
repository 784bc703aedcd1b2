import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Recipe } from '../../domain/recipe.ts';
import { ItemList } from '../state/item-list.ts';
import { batch, Signal } from '../state/signal.ts';
import { GROUP, RowUpdates } from './row-updates.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A thousand rows, of which some are near the screen. `called` has the indices of the rows that were called, in order. */
function rows({ near }: { readonly near: readonly number[] }) {
  const list = new ItemList();
  const items = list.add(
    Array.from({ length: 1000 }, (_, i) => ({ file: new File([], `${i}.png`), path: `${i}.png` })),
  );
  const recipe = new Signal<Recipe | null>(null);
  const visible = new Set<unknown>();
  const updates = new RowUpdates(recipe, {
    watch: (row, listener) => {
      listener(visible.has(row));
      return () => undefined;
    },
  });
  const called: number[] = [];
  const ends = list.handles.get().map((handle, i) => {
    const row = {} as Element;
    if (near.includes(i)) visible.add(row);
    updates.watch(handle, row);
    return updates.stateOf(handle).subscribe(() => called.push(i));
  });
  const startAll = () =>
    batch(() => {
      for (const { id } of items) list.setPhase(id, { phase: 'ready' });
    });
  return { list, items, recipe, called, ends, startAll };
}

it('a change of every item calls the rows in groups, those near the screen first', () => {
  const { called, startAll } = rows({ near: [700, 701] });
  startAll();
  expect(called).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(called).toHaveLength(GROUP);
  expect(called.slice(0, 4)).toEqual([700, 701, 0, 1]);
  vi.advanceTimersToNextTimer();
  expect(called).toHaveLength(2 * GROUP);
  vi.runAllTimers();
  expect(called.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
});

it('several changes before the turn of a row call it once, and a change of another item does not', () => {
  const { list, items, called } = rows({ near: [] });
  const id = items[5]?.id ?? 0;
  list.setPhase(id, { phase: 'ready' });
  list.setPhase(id, { phase: 'reading' });
  vi.runAllTimers();
  expect(called).toEqual([5]);
});

it('a change of the settings calls every row that has not left', () => {
  const { recipe, called, ends } = rows({ near: [] });
  recipe.set({} as Recipe);
  vi.advanceTimersToNextTimer();
  for (const end of ends.slice(GROUP, 990)) end();
  vi.runAllTimers();
  expect(called).toHaveLength(GROUP + 10);
});
