// Passes changes of items and settings on to the rows, in groups: to render a thousand rows in one task would delay input
// and frames. Rows near the screen come first. Only these are whole: a whole row takes 60 kB.

import type { Recipe } from '../../domain/recipe.ts';
import type { Item } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { computed, type Readable, Signal } from '../state/signal.ts';
import type { Visibility } from '../ui/index.ts';

/** The rows that are rendered in one task. */
export const GROUP = 25;

/** One group per frame. */
const INTERVAL_MS = 16;

/** Rows within this distance of the screen are near it. Chromium lays out rows with `content-visibility: auto` within it. */
export const NEAR = '150% 0px';

/** The rows of a list of up to this length are whole. */
const SHORT_LIST = 40;

/** What a row shows. */
export interface RowState {
  readonly item: Item;
  readonly recipe: Recipe | null;
  /** Whether the row is near the screen or the focus, or in a short list. */
  readonly isNear: boolean;
}

type Listener = () => void;

export class RowUpdates {
  readonly #recipe: Readable<Recipe | null>;
  readonly #visibility: Pick<Visibility, 'watch'>;
  readonly #near = new WeakMap<ItemHandle, Signal<boolean>>();
  #watched = 0;
  readonly #waiting = new Map<Listener, ItemHandle>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(recipe: Readable<Recipe | null>, visibility: Pick<Visibility, 'watch'>) {
    this.#recipe = recipe;
    this.#visibility = visibility;
  }

  /** Returns the state of a row. It calls its listeners up to a few frames after a change. */
  stateOf(handle: ItemHandle): Readable<RowState> {
    const sources = [handle.item, this.#recipe, this.#nearOf(handle)] as const;
    const state = computed(sources, (item, recipe, isNear): RowState => ({ item, recipe, isNear }));
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
    const near = this.#nearOf(handle);
    let isVisible = false;
    const show = () => {
      const keepsButtons = !isVisible && isNextToFocus(row);
      if (keepsButtons) row.parentElement?.addEventListener('focusout', () => setTimeout(show), { once: true });
      near.set(isVisible || keepsButtons || this.#watched <= SHORT_LIST);
    };
    this.#watched += 1;
    const unwatch = this.#visibility.watch(row, (visible) => {
      isVisible = visible;
      show();
    });
    return () => {
      unwatch();
      this.#watched -= 1;
    };
  }

  #nearOf(handle: ItemHandle): Signal<boolean> {
    const near = this.#near.get(handle) ?? new Signal(this.#watched < SHORT_LIST);
    this.#near.set(handle, near);
    return near;
  }

  #call(listener: Listener, handle: ItemHandle): void {
    this.#waiting.set(listener, handle);
    this.#timer ??= setTimeout(() => this.#callGroup(), 0);
  }

  #callGroup(): void {
    const near: Listener[] = [];
    const far: Listener[] = [];
    for (const [listener, handle] of this.#waiting) (this.#nearOf(handle).get() ? near : far).push(listener);
    const group = [...near, ...far].slice(0, GROUP);
    for (const listener of group) this.#waiting.delete(listener);
    this.#timer = this.#waiting.size === 0 ? undefined : setTimeout(() => this.#callGroup(), INTERVAL_MS);
    for (const listener of group) listener();
  }
}

/**
 * Whether the row or one beside it has the focus, which would be lost with its button, or could not go on with Tab from
 * where the page was scrolled away.
 */
function isNextToFocus(row: Element): boolean {
  const { previousElementSibling, nextElementSibling } = row;
  return [previousElementSibling, row, nextElementSibling].some((one) => one?.matches(':focus-within'));
}
