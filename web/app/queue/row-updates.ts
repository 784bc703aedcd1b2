// Passes changes of items and settings on to the rows, in groups: to render a thousand rows in one task would delay input
// and frames. Rows near the screen come first.

import type { Recipe } from '../../domain/recipe.ts';
import type { Item } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { computed, type Readable } from '../state/signal.ts';
import type { Visibility } from '../ui/index.ts';

/** The rows that are rendered in one task. */
export const GROUP = 25;

/** One group per frame. */
const INTERVAL_MS = 16;

/** What a row shows. */
export interface RowState {
  readonly item: Item;
  readonly recipe: Recipe | null;
}

type Listener = () => void;

export class RowUpdates {
  readonly #recipe: Readable<Recipe | null>;
  readonly #visibility: Pick<Visibility, 'watch'>;
  /** The rows near the screen. */
  readonly #near = new Set<ItemHandle>();
  readonly #waiting = new Map<Listener, ItemHandle>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(recipe: Readable<Recipe | null>, visibility: Pick<Visibility, 'watch'>) {
    this.#recipe = recipe;
    this.#visibility = visibility;
  }

  /** Returns the state of a row. It calls its listeners up to a few frames after a change. */
  stateOf(handle: ItemHandle): Readable<RowState> {
    const state = computed([handle.item, this.#recipe], (item, recipe): RowState => ({ item, recipe }));
    return {
      get: state.get,
      subscribe: (listener) => {
        const unsubscribe = state.subscribe(() => this.#call(listener, handle));
        return () => {
          unsubscribe();
          this.#waiting.delete(listener);
        };
      },
    };
  }

  /** Observes whether a row is near the screen, until the returned function is called. */
  watch(handle: ItemHandle, row: Element | null): (() => void) | undefined {
    if (row === null) return undefined;
    const unwatch = this.#visibility.watch(row, (isNear) => {
      if (isNear) this.#near.add(handle);
      else this.#near.delete(handle);
    });
    return () => {
      unwatch();
      this.#near.delete(handle);
    };
  }

  #call(listener: Listener, handle: ItemHandle): void {
    this.#waiting.set(listener, handle);
    this.#timer ??= setTimeout(() => this.#callGroup(), 0);
  }

  #callGroup(): void {
    const near: Listener[] = [];
    const far: Listener[] = [];
    for (const [listener, handle] of this.#waiting) (this.#near.has(handle) ? near : far).push(listener);
    const group = [...near, ...far].slice(0, GROUP);
    for (const listener of group) this.#waiting.delete(listener);
    this.#timer = this.#waiting.size === 0 ? undefined : setTimeout(() => this.#callGroup(), INTERVAL_MS);
    for (const listener of group) listener();
  }
}
