// One visit: the queue, the settings, the voice, and what the user can do with them. Making a session starts nothing and
// touches no browser interface, so that a page can be rendered without one; `start` does.

import { formatBytes } from '../domain/bytes.ts';
import type { Engine } from '../engine/index.ts';
import { Cell, derive, type Watchable } from './cell.ts';
import { fetchWorkbench } from './later.ts';
import {
  type Intake,
  type Item,
  type ItemId,
  mainAction,
  Narrator,
  nameOf,
  Queue,
  type Slot,
  type Stage,
  type Status,
  stageOf,
} from './queue/index.ts';
import { type Keeper, Settings } from './recipe/index.ts';
import type { Package } from './save/index.ts';
import { type Toast, Voice } from './voice.ts';

/** What a session needs of the world. */
export interface World {
  readonly createEngine: () => Engine;
  /** Hands a file to the user. */
  readonly deliver: (file: Package) => void;
  /** Scrolls to an item's row. */
  readonly reveal: (id: ItemId) => void;
  /** Null where nothing can be stored; may throw where storage is blocked. */
  readonly keeper: () => Keeper | null;
  readonly now: () => Date;
}

/** What buttons and shortcuts look at. */
export interface View extends Status {
  readonly stage: Stage;
  readonly main: 'add' | 'resize' | 'save';
  readonly hasRecipe: boolean;
}

export class Session {
  readonly settings = new Settings();
  readonly voice = new Voice();
  readonly queue: Queue;
  readonly view: Watchable<View>;
  readonly #world: World;
  readonly #saving = new Cell(false);
  #engine: Engine | null = null;

  constructor(world: World) {
    this.#world = world;
    this.queue = new Queue(() => this.#theEngine(), this.settings.recipe);
    this.view = derive(this.queue.status, this.settings.recipe, (status, recipe) => {
      const stage = stageOf(status.tally, status.run);
      return { ...status, stage, main: mainAction(status.tally, stage), hasRecipe: recipe !== null };
    });
  }

  /** Whether an archive is being put together. */
  get saving(): Watchable<boolean> {
    return this.#saving;
  }

  /** Begins to listen; the returned function ends the engine and all work. */
  start(): () => void {
    this.#remember();
    const narrator = new Narrator(this.voice, () => this.#world.now().getTime(), this.queue.status.get());
    const ends = [this.queue.watch(), this.queue.status.subscribe(() => narrator.hear(this.queue.status.get()))];
    return () => {
      for (const end of ends) end();
      this.#engine?.dispose();
      this.#engine = null;
    };
  }

  /** Makes the engine ready before the first file comes. */
  expectFiles(): void {
    void this.#theEngine().warm();
  }

  /** Takes files in, and says where there were none. */
  async add(intake: Intake | Promise<Intake>): Promise<void> {
    const { files, emptyFolders } = await intake;
    if (files.length > 0) {
      this.queue.add(files);
      void fetchWorkbench();
    }
    const [folder] = emptyFolders;
    if (folder !== undefined) this.voice.show({ key: 'add.problem.folder', values: { folder } }, { tone: 'critical' });
  }

  remove(slot: Slot): void {
    this.queue.remove(slot.id);
    this.voice.show({ key: 'status.removed', values: { count: 1, name: nameOf(slot.item.get()) } }, { undo: true });
  }

  clear(): void {
    const count = this.view.get().tally.total;
    if (count === 0) return;
    const name = nameOf(this.queue.items()[0] ?? { path: '' });
    this.queue.clear();
    this.voice.show({ key: 'status.removed', values: { count, name } }, { undo: true });
  }

  undo(): void {
    const count = this.queue.removal.get().length;
    this.queue.undo();
    for (const toast of this.voice.toasts.get()) if (toast.undo) this.voice.dismiss(toast);
    if (count > 0) this.voice.announce({ key: 'status.restored', values: { count } });
  }

  /** Takes a message away, and with an offer of Undo what it would have brought back. */
  dismiss(toast: Toast): void {
    if (toast.undo) this.queue.forget();
    this.voice.dismiss(toast);
  }

  /** Brings the first file that has no result into view. */
  showFailed(): void {
    const failed = this.queue.items().find(({ phase }) => phase.phase === 'failed');
    if (failed !== undefined) this.#world.reveal(failed.id);
  }

  /** Saves all results, or one item's. A kept original that is gone keeps none of the others from being saved. */
  async save(only?: ItemId): Promise<void> {
    if (this.#saving.get()) return;
    this.#saving.set(true);
    try {
      const wanted = () => this.queue.items().filter(({ id }) => only === undefined || only === id);
      const lost = await this.queue.check(wanted().map(({ id }) => id));
      await this.#deliver(wanted(), lost);
    } catch {
      // A Blob of the browser's can be gone: its disk was full.
      this.voice.show({ key: 'save.problem' }, { tone: 'critical' });
    } finally {
      this.#saving.set(false);
    }
  }

  async #deliver(items: readonly Item[], lost: number): Promise<void> {
    const { packageOf, resultsOf } = await fetchWorkbench();
    const now = this.#world.now();
    const results = resultsOf(items, this.settings.form.get().fileNames, now);
    if (results.length === 0) {
      if (lost > 0) this.voice.show({ key: 'failure.read' }, { tone: 'critical' });
      return;
    }
    const file = await packageOf(results, now);
    this.#world.deliver(file);
    this.queue.markSaved(items.map(({ id }) => id));
    const values = { name: file.name, size: formatBytes(file.blob.size, 1) };
    if (lost === 0) this.voice.show({ key: 'status.saved', values });
    else this.voice.show({ key: 'save.leftOut', values: { ...values, count: lost } }, { tone: 'critical' });
  }

  #theEngine(): Engine {
    this.#engine ??= this.#world.createEngine();
    return this.#engine;
  }

  #remember(): void {
    try {
      const keeper = this.#world.keeper();
      if (keeper !== null) this.settings.remember(keeper);
    } catch {
      // Reading `localStorage` itself throws where it is blocked.
    }
  }
}
