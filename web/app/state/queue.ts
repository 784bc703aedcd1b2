// The queue: the list of items, the reading of their headers, and the run. Every change of an item goes through this
// class. It uses the engine and is independent of the page. The first file loads most of the code: see `queue-work.ts`.

import type { Rect } from '../../domain/job.ts';
import type { OwnSize } from '../../domain/own-size.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { NO_TURN, type Turn, turnThen } from '../../domain/turns.ts';
import type { Engine } from '../../engine/index.ts';
import { type Counts, NO_COUNTS } from './counts.ts';
import { type AddedFile, type Item, type ItemId, isRetryable } from './item.ts';
import { type ItemHandle, ItemList } from './item-list.ts';
import type { Example } from './plans.ts';
import type { QueueWork } from './queue-work.ts';
import type { RunState } from './run.ts';
import { batch, computed, type Readable, Signal } from './signal.ts';

/** The counts and the run at the same moment. */
export interface Status {
  readonly counts: Counts;
  readonly run: RunState;
}

export class Queue {
  /** All items in their order. The value changes with every item, except for progress. */
  readonly items: Readable<readonly Item[]>;
  readonly status: Readable<Status>;
  /** The image that the settings show as an example. */
  readonly example: Readable<Example | null>;
  readonly #engine: () => Engine;
  readonly #recipe: Readable<Recipe | null>;
  readonly #list = new ItemList();
  readonly #run = { state: new Signal<RunState>({ state: 'none' }), fraction: new Signal(0) };
  /** Null until the code has been loaded. */
  readonly #work = new Signal<QueueWork | null>(null);
  #isLoading = false;

  constructor(engine: () => Engine, recipe: Readable<Recipe | null>) {
    this.#engine = engine;
    this.#recipe = recipe;
    this.items = this.#list.items;
    const sources = [this.#work, this.items, recipe] as const;
    this.example = computed(sources, (work, items, recipe) => work?.exampleOf(items, recipe) ?? null);
    const counts = computed(sources, (work, items, recipe) => work?.count(items, recipe) ?? countUnread(items));
    this.status = computed([counts, this.#run.state], (counts, run): Status => ({ counts, run }));
  }

  get list(): Readable<readonly ItemHandle[]> {
    return this.#list.handles;
  }

  /** The completed part of the run, 0 to 1. */
  get fraction(): Readable<number> {
    return this.#run.fraction;
  }

  /** The items that `undo` would restore. */
  get removal(): Readable<readonly { readonly handle: ItemHandle }[]> {
    return this.#list.removal;
  }

  /** Loads the code for the items, and then reads those that wait for it. If it fails, they can be retried. */
  async load(): Promise<void> {
    if (this.#isLoading || this.#work.get() !== null) return;
    this.#isLoading = true;
    const code = await import('./queue-work.ts').catch((error: unknown) => String(error));
    this.#isLoading = false;
    batch(() => {
      const waiting = this.items.get().filter(({ phase }) => phase.phase === 'reading');
      if (typeof code !== 'string') {
        this.#work.set(new code.QueueWork(this.#engine, this.#list, this.#run));
        this.#read(waiting);
        return;
      }
      const failure = { code: 'part-missing', detail: code } as const;
      for (const { id } of waiting) this.#list.setPhase(id, { phase: 'failed', failure, resultKey: null });
    });
  }

  /** Adds files and reads their headers. During a run they take part in it. */
  add(files: readonly AddedFile[]): void {
    batch(() => {
      const items = this.#list.add(files);
      this.#work.get()?.run.join(items);
      this.#read(items);
    });
  }

  /** Resizes all items that are new, stale or retryable. */
  resize(): void {
    this.#start((item) => this.#work.get()?.isPending(item, this.#recipe.get()) || isRetryable(item));
  }

  /** Retries failed items that can succeed, all or one: reads the header again or resizes again. */
  retry(only?: ItemId): void {
    this.#start((item) => isRetryable(item) && (only === undefined || only === item.id));
  }

  /** Resizes an item again that needs more memory than is available, with all the memory that a worker can have. */
  tryAnyway(id: ItemId): void {
    batch(() => {
      this.#list.update(id, { hasNoMemoryLimit: true });
      this.retry(id);
    });
  }

  /** Ends the run. Finished items keep their results. */
  cancel(): void {
    this.#work.get()?.run.cancel();
  }

  /** Ends the run and starts one with the current settings. */
  restart(): void {
    batch(() => {
      this.cancel();
      this.resize();
    });
  }

  /** Chooses whether an item stays animated if the chosen format has no animation. */
  setStaysAnimated(id: ItemId, staysAnimated: boolean): void {
    this.#list.update(id, { staysAnimated });
  }

  /** Turns one item, besides the turns that it has already. */
  turn(id: ItemId, turn: Turn): void {
    const item = this.#list.find(id);
    if (item !== undefined) this.#list.update(id, { turn: turnThen(item.turn ?? NO_TURN, turn) });
  }

  /** Gives one item a size of its own; null for that of the settings. */
  setOwnSize(id: ItemId, ownSize: OwnSize | null): void {
    this.#list.update(id, { ownSize });
  }

  /** Uses an area of one item only, in pixels of the upright image before its turns; null for all of it. */
  crop(id: ItemId, crop: Rect | null): void {
    this.#list.update(id, { crop });
  }

  remove(...ids: ItemId[]): void {
    this.#remove(ids);
  }

  clear(): void {
    this.#remove(this.items.get().map(({ id }) => id));
  }

  /** Restores the removed items at their places. */
  undo(): void {
    this.#read(this.#list.undo().filter(({ phase }) => phase.phase === 'reading'));
  }

  /** Makes all removals final. */
  forgetRemoval(): void {
    this.#list.forgetRemoval();
  }

  /** Marks results as saved. */
  markSaved(ids: Iterable<ItemId>): void {
    batch(() => {
      for (const id of ids) {
        const phase = this.#list.find(id)?.phase;
        if (phase?.phase === 'done') this.#list.setPhase(id, { ...phase, saved: true });
      }
    });
  }

  /** Marks kept originals that can no longer be read as failed. Resolves to their number. */
  async checkOriginals(ids: readonly ItemId[]): Promise<number> {
    const originals = ids.flatMap((id) => this.#list.find(id) ?? []).filter(isOriginal);
    let lost = 0;
    for (const { id, file, phase } of originals) {
      const detail = await readError(file);
      if (detail === null || this.#list.find(id)?.phase !== phase) continue;
      this.#list.setPhase(id, { phase: 'failed', failure: { code: 'read', detail }, resultKey: null });
      lost += 1;
    }
    return lost;
  }

  /** Resizes the wanted items. Items without a header are read first and not resized. */
  #start(isWanted: (item: Item) => boolean): void {
    const wanted = this.items.get().filter(isWanted);
    const unread = wanted.filter(({ info }) => info === null);
    for (const { id } of unread) this.#list.setPhase(id, { phase: 'reading' });
    this.#read(unread);
    this.#work.get()?.start(wanted, this.#recipe.get());
  }

  #read(items: readonly Item[]): void {
    const work = this.#work.get();
    if (work !== null) work.read(items);
    else if (items.length > 0) void this.load();
  }

  #remove(ids: readonly ItemId[]): void {
    batch(() => {
      this.#work.get()?.drop(ids);
      this.#list.remove(ids);
      if (this.#list.handles.get().length === 0) this.#work.get()?.run.reset();
    });
  }
}

/** Counts items before the code that plans them has been loaded: each is being read, or can be retried. */
function countUnread(items: readonly Item[]): Counts {
  const reading = items.filter(({ phase }) => phase.phase === 'reading').length;
  const failed = items.length - reading;
  return { ...NO_COUNTS, total: items.length, reading, failed, retryable: failed };
}

/** Whether the original file itself is the result. */
function isOriginal({ phase }: Item): boolean {
  return phase.phase === 'kept' && phase.result === null;
}

/** Returns why the file can no longer be read, usually because it was moved or changed; null if it can be read. */
async function readError(file: Blob): Promise<string | null> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (error) {
    return String(error);
  }
}
