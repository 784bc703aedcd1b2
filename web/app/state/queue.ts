// The queue: the only writer of item state. Knows the engine, not the page. Each item is a cell of its own, so that a
// progress report of one file redraws one row; the list, the counts and the run are cells beside them.

import type { KeptPlan } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { type Engine, isFailed, type Outcome, type ResizeJob, type ResizeResult } from '../../engine/index.ts';
import { type Counts, countItems, type RunState } from './counts.ts';
import {
  type AddedFile,
  type Item,
  type ItemId,
  isPending,
  isRetryable,
  jobsOf,
  type OutputFile,
  type Phase,
  planFailure,
  planOf,
  resultKeyOf,
} from './item.ts';
import { type Readable, Signal } from './signal.ts';

/** A place in the list. A row keeps hold of its handle, which stays good after the item has left the list. */
export interface ItemHandle {
  readonly id: ItemId;
  readonly item: Readable<Item>;
}

interface OwnHandle extends ItemHandle {
  readonly item: Signal<Item>;
}

/** The queue at a glance; both parts always speak of the same moment. */
export interface Status {
  readonly counts: Counts;
  readonly run: RunState;
}

/** What left the list last, with the places it had: for Undo. */
type Removal = readonly { readonly index: number; readonly handle: OwnHandle }[];

/** Whether the original file itself is the result. */
function isOriginal({ phase }: Item): boolean {
  return phase.phase === 'kept' && phase.result === null;
}

/** Why not even the first byte can be read: the file was moved or changed since it was added. Null where it can. */
async function unreadable(file: Blob): Promise<string | null> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Pages that became nothing are a note on those that did. */
function withSkipped(result: OutputFile, skipped: number, of: number): OutputFile {
  return { ...result, warnings: [...result.warnings, { code: 'frames-skipped', skipped, of }] };
}

/** What an item is doing in the engine, to be called off. */
type Work = AbortController;

export class Queue {
  readonly #engine: () => Engine;
  readonly #recipe: Readable<Recipe | null>;
  readonly #list = new Signal<readonly OwnHandle[]>([]);
  readonly #handles = new Map<ItemId, OwnHandle>();
  readonly #status: Signal<Status>;
  readonly #fraction = new Signal(0);
  readonly #removal = new Signal<Removal>([]);
  readonly #work = new Map<ItemId, Work>();
  /** The items of the run that goes on, with the phases they had before: a result is given up only for the next one. */
  readonly #running = new Map<ItemId, Phase>();
  #run: RunState = { state: 'none' };
  #lastId: ItemId = 0;
  #depth = 0;

  constructor(engine: () => Engine, recipe: Readable<Recipe | null>) {
    this.#engine = engine;
    this.#recipe = recipe;
    this.#status = new Signal({ counts: countItems([], null), run: this.#run });
  }

  get list(): Readable<readonly ItemHandle[]> {
    return this.#list;
  }

  get status(): Readable<Status> {
    return this.#status;
  }

  /** How much of the run is done, 0 to 1. */
  get fraction(): Readable<number> {
    return this.#fraction;
  }

  /** What Undo would bring back. */
  get removal(): Readable<readonly { readonly handle: ItemHandle }[]> {
    return this.#removal;
  }

  /** Counts anew whenever the settings change, until the returned function is called. */
  watch(): () => void {
    this.#count();
    return this.#recipe.subscribe(() => this.#count());
  }

  /** In the order of the list. */
  items(): Item[] {
    return this.#list.get().map(({ item }) => item.get());
  }

  add(files: readonly AddedFile[]): void {
    const handles = files.map(({ file, path }): OwnHandle => {
      this.#lastId += 1;
      const id = this.#lastId;
      return { id, item: new Signal<Item>({ id, file, path, info: null, phase: { phase: 'reading' } }) };
    });
    this.#together(() => {
      for (const handle of handles) this.#handles.set(handle.id, handle);
      this.#list.set([...this.#list.get(), ...handles]);
    });
    for (const { id } of handles) void this.#read(id);
  }

  /** Resizes all that is new, that the settings have changed for, or that may go better at another try. */
  resize(): void {
    const recipe = this.#recipe.get();
    if (recipe === null) return;
    this.#start(recipe, (item) => isPending(item, recipe) || isRetryable(item));
  }

  /** Tries again what may go better at another try. */
  retry(only?: ItemId): void {
    const recipe = this.#recipe.get();
    if (recipe === null) return;
    this.#start(recipe, (item) => isRetryable(item) && (only === undefined || only === item.id));
  }

  /** Ends the run; what is finished stays, of this run and of those before. */
  cancel(): void {
    if (this.#run.state !== 'running') return;
    this.#together(() => {
      for (const [id, before] of this.#running) {
        this.#abort(id);
        this.#turn(id, before);
      }
      this.#running.clear();
      this.#run = { state: 'cancelled' };
    });
  }

  remove(id: ItemId): void {
    this.#drop([id]);
  }

  clear(): void {
    this.#drop(this.#list.get().map(({ id }) => id));
  }

  /** Puts back what was removed last, where it was. */
  undo(): void {
    const removal = this.#removal.get();
    const list = [...this.#list.get()];
    // Ascending places: each lands where it stood before the next is put in.
    for (const { index, handle } of removal) list.splice(index, 0, handle);
    this.#together(() => {
      for (const { handle } of removal) this.#handles.set(handle.id, handle);
      this.#list.set(list);
    });
    this.#removal.set([]);
    for (const { handle } of removal) {
      if (handle.item.get().phase.phase === 'reading') void this.#read(handle.id);
    }
  }

  /** Lets go of what could be brought back. */
  forget(): void {
    this.#removal.set([]);
  }

  /** These results are on the user's disk now. */
  markSaved(ids: Iterable<ItemId>): void {
    this.#together(() => {
      for (const id of ids) {
        const phase = this.#handles.get(id)?.item.get().phase;
        if (phase?.phase === 'done') this.#turn(id, { ...phase, saved: true });
      }
    });
  }

  /** Turns kept originals that cannot be read any more into failures; answers how many there were. */
  async check(ids: readonly ItemId[]): Promise<number> {
    const kept = ids.flatMap((id) => this.#handles.get(id)?.item.get() ?? []).filter(isOriginal);
    let lost = 0;
    for (const { id, file, phase } of kept) {
      const detail = await unreadable(file);
      if (detail === null || this.#handles.get(id)?.item.get().phase !== phase) continue;
      this.#turn(id, { phase: 'failed', failure: { code: 'read', detail }, resultKey: null });
      lost += 1;
    }
    return lost;
  }

  /** Has the engine make what is no result, such as a picture for the list. */
  readonly sketch: Engine['run'] = (file, job, options) => this.#engine().run(file, job, options);

  async #read(id: ItemId): Promise<void> {
    const work = this.#begin(id);
    const outcome = await this.#engine().probe(this.#get(id).file, { signal: work.signal });
    if (!this.#finish(id, work)) return;
    if (isFailed(outcome)) this.#turn(id, { phase: 'failed', failure: outcome.failure, resultKey: null });
    else this.#put({ ...this.#get(id), info: outcome, phase: { phase: 'ready' } });
  }

  #start(recipe: Recipe, wanted: (item: Item) => boolean): void {
    if (this.#run.state === 'running') return;
    const items = this.items().filter(wanted);
    if (items.length === 0) return;
    this.#together(() => {
      for (const { id, phase } of items) this.#running.set(id, phase);
      this.#run = { state: 'running', total: items.length, finished: 0 };
      this.#fraction.set(0);
      for (const item of items) this.#dispatch(item, recipe);
    });
  }

  /** Gives one item to the engine, unless the plan is its answer already. */
  #dispatch(item: Item, recipe: Recipe): void {
    const plan = planOf(item, recipe);
    const resultKey = resultKeyOf(item, recipe);
    if (plan === null || item.info === null) throw new Error(`item ${item.id} runs before its header was read`);
    if (plan.kind === 'kept' && plan.rewriteMetadata === null) {
      this.#settle(item.id, { phase: 'kept', reason: plan.reason, rewrittenFor: null, resultKey, result: null });
    } else if (plan.kind === 'kept') {
      this.#rewriteMetadata(item, plan, resultKey);
    } else if (plan.kind !== 'resize') {
      // A size that was mistyped must not cost the result that is there.
      const refused: Phase = { phase: 'failed', failure: planFailure(plan), resultKey };
      this.#settle(item.id, item.phase.phase === 'done' ? item.phase : refused);
    } else {
      this.#turn(item.id, { phase: 'waiting' });
      const work = this.#begin(item.id);
      const jobs = jobsOf(recipe, plan, item.info);
      const fractions = jobs.map(() => 0);
      const running = jobs.map((job, i) =>
        this.#engine().run(item.file, job, {
          signal: work.signal,
          onProgress: ({ fraction }) => {
            fractions[i] = fraction;
            this.#progress(item.id, work, fractions.reduce((sum, part) => sum + part, 0) / jobs.length);
          },
        }),
      );
      void Promise.all(running).then((outcomes) => this.#end(item.id, work, outcomes, jobs, resultKey));
    }
  }

  /** Keeps the picture and leaves out what it should not tell. */
  #rewriteMetadata(item: Item, { reason, rewriteMetadata: rewrittenFor }: KeptPlan, resultKey: string): void {
    this.#turn(item.id, { phase: 'waiting' });
    const work = this.#begin(item.id);
    const running = this.#engine().rewriteMetadata(item.file, rewrittenFor ?? 'keep', { signal: work.signal });
    void running.then((outcome) => {
      if (!this.#finish(item.id, work)) return;
      if (isFailed(outcome)) this.#settle(item.id, { phase: 'failed', failure: outcome.failure, resultKey });
      else this.#settle(item.id, { phase: 'kept', reason, rewrittenFor, resultKey, result: outcome });
    });
  }

  #progress(id: ItemId, work: Work, fraction: number): void {
    if (this.#work.get(id) !== work) return;
    const item = this.#get(id);
    this.#handles.get(id)?.item.set({ ...item, phase: { phase: 'running', fraction } });
    this.#measure();
  }

  #end(
    id: ItemId,
    work: Work,
    outcomes: readonly Outcome<ResizeResult>[],
    jobs: readonly ResizeJob[],
    resultKey: string,
  ): void {
    if (!this.#finish(id, work)) return;
    const failure = outcomes.find(isFailed)?.failure;
    const [first, ...more] = outcomes.flatMap((outcome, i): OutputFile[] =>
      isFailed(outcome) ? [] : [{ ...outcome, frame: jobs[i]?.parts[0]?.frame ?? 0 }],
    );
    if (first === undefined) {
      if (failure !== undefined) this.#settle(id, { phase: 'failed', failure, resultKey });
      return;
    }
    const skipped = outcomes.length - 1 - more.length;
    const result = skipped === 0 ? first : withSkipped(first, skipped, outcomes.length);
    this.#settle(id, { phase: 'done', outputs: [result, ...more], resultKey, saved: false });
  }

  /** An item of the run has its answer. */
  #settle(id: ItemId, phase: Phase): void {
    this.#together(() => {
      this.#turn(id, phase);
      this.#leaveRun([id]);
    });
  }

  #leaveRun(ids: readonly ItemId[]): void {
    const left = ids.filter((id) => this.#running.delete(id)).length;
    if (this.#run.state !== 'running' || left === 0) return;
    const finished = this.#run.finished + left;
    this.#run = this.#running.size === 0 ? { state: 'finished' } : { ...this.#run, finished };
    this.#measure();
  }

  #drop(ids: readonly ItemId[]): void {
    const gone = new Set(ids);
    const removal = this.#list.get().flatMap((handle, index) => (gone.has(handle.id) ? [{ index, handle }] : []));
    this.#together(() => {
      for (const { handle } of removal) {
        const before = this.#running.get(handle.id);
        this.#abort(handle.id);
        if (before !== undefined) this.#turn(handle.id, before);
        this.#handles.delete(handle.id);
      }
      this.#list.set(this.#list.get().filter(({ id }) => !gone.has(id)));
      this.#leaveRun(ids);
      if (this.#list.get().length === 0) this.#run = { state: 'none' };
    });
    this.#removal.set(removal);
  }

  #begin(id: ItemId): Work {
    const work = new AbortController();
    this.#work.set(id, work);
    return work;
  }

  /** Whether the work that ends is still the item's own: not removed, not called off, not begun anew. */
  #finish(id: ItemId, work: Work): boolean {
    return this.#work.get(id) === work && this.#work.delete(id);
  }

  #abort(id: ItemId): void {
    const work = this.#work.get(id);
    this.#work.delete(id);
    work?.abort();
  }

  #get(id: ItemId): Item {
    const handle = this.#handles.get(id);
    if (handle === undefined) throw new Error(`item ${id} has left the list`);
    return handle.item.get();
  }

  #turn(id: ItemId, phase: Phase): void {
    this.#put({ ...this.#get(id), phase });
  }

  #put(item: Item): void {
    this.#handles.get(item.id)?.item.set(item);
    this.#count();
  }

  /** Many changes, counted once. */
  #together(change: () => void): void {
    this.#depth += 1;
    change();
    this.#depth -= 1;
    this.#count();
  }

  #count(): void {
    if (this.#depth === 0) this.#status.set({ counts: countItems(this.items(), this.#recipe.get()), run: this.#run });
  }

  #measure(): void {
    if (this.#run.state !== 'running') return;
    let sum = this.#run.finished;
    for (const id of this.#running.keys()) {
      const { phase } = this.#get(id);
      if (phase.phase === 'running') sum += phase.fraction;
    }
    this.#fraction.set(sum / this.#run.total);
  }
}
