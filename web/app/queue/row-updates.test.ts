import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Recipe } from '../../domain/recipe.ts';
import { ItemList } from '../state/item-list.ts';
import { batch, Signal } from '../state/signal.ts';
import { GROUP, RowUpdates } from './row-updates.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Rows, a thousand if no count is given, of which some are near the screen. `called` has the indices of the rows that were called, in order. */
function rows({ near, count = 1000 }: { readonly near: readonly number[]; readonly count?: number }) {
  const list = new ItemList();
  const items = list.add(
    Array.from({ length: count }, (_, i) => ({ file: new File([], `${i}.png`), path: `${i}.png` })),
  );
  const recipe = new Signal<Recipe | null>(null);
  const elements = Array.from(items, () => new FakeRow());
  const listeners = new Map<unknown, (isVisible: boolean) => void>();
  const updates = new RowUpdates(recipe, {
    watch: (row, listener) => {
      listeners.set(row, listener);
      return () => undefined;
    },
  });
  const called: number[] = [];
  const states = list.handles.get().map((handle) => updates.stateOf(handle));
  const show = (index: number, isVisible: boolean) => listeners.get(elements[index])?.(isVisible);
  list.handles.get().forEach((handle, i) => {
    updates.watch(handle, elements[i] as unknown as Element);
  });
  elements.forEach((_, i) => void show(i, near.includes(i)));
  const ends = states.map((state, i) => state.subscribe(() => called.push(i)));
  const startAll = () =>
    batch(() => {
      for (const { id } of items) list.setPhase(id, { phase: 'ready' });
    });
  const isNear = (index: number) => states[index]?.get().isNear;
  return { list, items, recipe, updates, elements, show, isNear, called, ends, startAll };
}

/** As much of an element as a row needs. */
class FakeRow extends EventTarget {
  hasFocus = false;
  readonly parentElement = this;
  readonly matches = () => this.hasFocus;
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

it('a row is called when it comes near the screen, and when it leaves', () => {
  const { show, isNear, called } = rows({ near: [3] });
  expect([isNear(3), isNear(900)]).toEqual([true, false]);
  show(900, true);
  show(3, false);
  expect([isNear(3), isNear(900)]).toEqual([false, true]);
  vi.runAllTimers();
  expect(called).toEqual([900, 3]);
});

it('a row that leaves with the focus stays near until the focus has left', () => {
  const { elements, show, isNear } = rows({ near: [3] });
  const [, , , row] = elements;
  if (row === undefined) throw new Error('no row');
  row.hasFocus = true;
  show(3, false);
  expect(isNear(3)).toBe(true);
  row.dispatchEvent(new Event('focusout'));
  vi.runAllTimers();
  expect(isNear(3), 'the focus moved within the row').toBe(true);
  row.hasFocus = false;
  row.dispatchEvent(new Event('focusout'));
  vi.runAllTimers();
  expect(isNear(3)).toBe(false);
});

it.each([
  [40, 40],
  [41, 1],
])('of %i rows, of which one is near the screen, %i are near', (count, expected) => {
  const { isNear } = rows({ near: [0], count });
  expect(Array.from({ length: count }, (_, i) => isNear(i)).filter(Boolean)).toHaveLength(expected);
});
