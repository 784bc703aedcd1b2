// A run: items that are resized together, from the click on the button until each item has its result.

import type { Recipe } from '../../domain/recipe.ts';
import type { Engine } from '../../engine/index.ts';
import type { Item, ItemId, Phase } from './item.ts';
import type { ItemList } from './item-list.ts';
import { type ItemWork, imagesOf, phaseByEngine, phaseByPlan, workFor } from './item-work.ts';
import { batch, type Signal } from './signal.ts';

/** The state of the current run, or the outcome of the last one. */
export type RunState =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly recipe: Recipe; readonly total: number; readonly finished: number }
  | { readonly state: 'finished' }
  | { readonly state: 'cancelled' };

/** An item of the run without a result. */
interface Entry {
  /** The phase before the run; a cancelled item returns to it. */
  before: Phase;
  readonly controller: AbortController;
  fraction: number;
}

/** What a run shows of itself. */
export interface RunSignals {
  readonly state: Signal<RunState>;
  /** The completed part of the run, 0 to 1. */
  readonly fraction: Signal<number>;
}

export class Run {
  readonly #engine: () => Engine;
  readonly #list: ItemList;
  readonly #state: Signal<RunState>;
  readonly #fraction: Signal<number>;
  readonly #entries = new Map<ItemId, Entry>();

  constructor(engine: () => Engine, list: ItemList, { state, fraction }: RunSignals) {
    this.#engine = engine;
    this.#list = list;
    this.#state = state;
    this.#fraction = fraction;
  }

  /** Starts a run. During a run, only failed items take part in it, to be tried again. Does nothing without items. */
  start(items: readonly Item[], recipe: Recipe): void {
    const current = this.#state.get();
    const isRunning = current.state === 'running';
    const wanted = isRunning ? items.filter(({ phase }) => phase.phase === 'failed') : items;
    if (wanted.length === 0) return;
    batch(() => {
      if (isRunning) {
        this.join(wanted);
      } else {
        this.#state.set({ state: 'running', recipe, total: wanted.length, finished: 0 });
        this.#fraction.set(0);
        for (const item of wanted) this.#enter(item);
      }
      for (const item of wanted) this.#dispatch(item, isRunning ? current.recipe : recipe);
    });
  }

  /** Lets items take part in the current run, if there is one, as soon as their headers have been read. */
  join(items: readonly Item[]): void {
    const state = this.#state.get();
    if (state.state !== 'running') return;
    for (const item of items) this.#enter(item);
    this.#state.set({ ...state, total: state.total + items.length });
    this.#measure();
  }

  /** Starts the work on an item that has joined. Call this after its header has been read. */
  proceed(item: Item): void {
    const state = this.#state.get();
    const entry = this.#entries.get(item.id);
    if (state.state !== 'running' || entry === undefined) return;
    entry.before = item.phase;
    if (item.phase.phase === 'ready') this.#dispatch(item, state.recipe);
    else this.#settle(item.id, item.phase);
  }

  /** Ends the run. Finished items keep their results; the others return to their previous phase. */
  cancel(): void {
    if (this.#state.get().state !== 'running') return;
    batch(() => {
      this.#abort([...this.#entries.keys()]);
      this.#state.set({ state: 'cancelled' });
    });
  }

  /** Removes items from the run before they leave the list. */
  drop(ids: readonly ItemId[]): void {
    batch(() => this.#advance(this.#abort(ids)));
  }

  /** Resets the outcome of the last run. */
  reset(): void {
    this.#state.set({ state: 'none' });
  }

  #enter({ id, phase }: Item): void {
    this.#entries.set(id, { before: phase, controller: new AbortController(), fraction: 0 });
  }

  #dispatch(item: Item, recipe: Recipe): void {
    const work = workFor(item, recipe);
    const phase = phaseByPlan(work);
    if (phase === null) void this.#perform(work);
    else this.#settle(item.id, phase);
  }

  async #perform(work: ItemWork): Promise<void> {
    const { item, recipe } = work;
    const { id } = item;
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const images = imagesOf(work);
    this.#list.setPhase(id, { phase: 'waiting', recipe });
    const phase = await phaseByEngine(this.#engine(), work, {
      signal: entry.controller.signal,
      onProgress: (fraction) => {
        if (this.#entries.get(id) !== entry) return;
        entry.fraction = fraction;
        this.#list.showProgress(id, { phase: 'running', recipe, fraction, images });
        this.#measure();
      },
    });
    if (this.#entries.get(id) === entry) this.#settle(id, phase);
  }

  /** Sets an item's result. */
  #settle(id: ItemId, phase: Phase): void {
    batch(() => {
      this.#entries.delete(id);
      this.#list.setPhase(id, phase);
      this.#advance(1);
    });
  }

  /** Aborts the work on items, restores their phases and returns how many of them were in the run. */
  #abort(ids: readonly ItemId[]): number {
    const aborted = ids.flatMap((id) => this.#entries.get(id) ?? []);
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      this.#entries.delete(id);
      this.#list.setPhase(id, entry.before);
    }
    // The aborts come last, because abort listeners may report progress of other items.
    for (const { controller } of aborted) controller.abort();
    return aborted.length;
  }

  /** Counts items that have left the run, and ends the run after the last one. */
  #advance(count: number): void {
    const state = this.#state.get();
    if (state.state !== 'running' || count === 0) return;
    const isLast = this.#entries.size === 0;
    this.#state.set(isLast ? { state: 'finished' } : { ...state, finished: state.finished + count });
    this.#measure();
  }

  #measure(): void {
    const state = this.#state.get();
    if (state.state !== 'running') return;
    let done = state.finished;
    for (const { fraction } of this.#entries.values()) done += fraction;
    this.#fraction.set(done / state.total);
  }
}
