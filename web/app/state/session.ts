// One visit: the queue, the settings, the notifications, and what the user can do with them. Making a session starts nothing and
// touches no browser interface, so that a page can be rendered without one; `start` does.

import type { Engine } from '../../engine/index.ts';
import type { Download } from '../save/index.ts';
import { mainAction, type Stage, stageOf } from './counts.ts';
import { type AddedFiles, type Item, type ItemId, nameOf } from './item.ts';
import { Notifications, type Toast } from './notifications.ts';
import { type ItemHandle, Queue, type Status } from './queue.ts';
import { RunAnnouncer } from './run-announcer.ts';
import { Settings, type SettingsStorage } from './settings.ts';
import { computed, type Readable, Signal } from './signal.ts';

/** What a session needs of the world. */
export interface Platform {
  readonly createEngine: () => Engine;
  /** Hands a file to the user. */
  readonly download: (file: Download) => void;
  /** Scrolls to an item's row and focuses it. */
  readonly focusRow: (id: ItemId) => void;
  /** Null where nothing can be stored; may throw where storage is blocked. */
  readonly storage: () => SettingsStorage | null;
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
  readonly notifications = new Notifications();
  readonly queue: Queue;
  readonly view: Readable<View>;
  readonly #platform: Platform;
  readonly #saving = new Signal(false);
  #engine: Engine | null = null;

  constructor(world: Platform) {
    this.#platform = world;
    this.queue = new Queue(() => this.#theEngine(), this.settings.recipe);
    this.view = computed([this.queue.status, this.settings.recipe], (status, recipe) => {
      const stage = stageOf(status.counts, status.run);
      return { ...status, stage, main: mainAction(status.counts, stage), hasRecipe: recipe !== null };
    });
  }

  /** Whether an archive is being put together. */
  get saving(): Readable<boolean> {
    return this.#saving;
  }

  /** Begins to listen; the returned function ends the engine and all work. */
  start(): () => void {
    this.#remember();
    const announcer = new RunAnnouncer(
      this.notifications,
      () => this.#platform.now().getTime(),
      this.queue.status.get(),
    );
    const ends = [this.queue.watch(), this.queue.status.subscribe(() => announcer.onStatus(this.queue.status.get()))];
    return () => {
      for (const end of ends) end();
      this.#engine?.dispose();
      this.#engine = null;
    };
  }

  /** Makes the engine ready before the first file comes. */
  warmUp(): void {
    void this.#theEngine().warm();
  }

  /** Takes files in, and says where there were none. */
  async add(added: AddedFiles | Promise<AddedFiles>): Promise<void> {
    const { files, emptyFolders } = await added;
    if (files.length > 0) this.queue.add(files);
    const [folder] = emptyFolders;
    if (folder !== undefined)
      this.notifications.show({ key: 'add.problem.folder', values: { folder } }, { tone: 'critical' });
  }

  remove(handle: ItemHandle): void {
    this.queue.remove(handle.id);
    this.notifications.show(
      { key: 'status.removed', values: { count: 1, name: nameOf(handle.item.get()) } },
      { undo: true },
    );
  }

  clear(): void {
    const count = this.view.get().counts.total;
    if (count === 0) return;
    const name = nameOf(this.queue.items()[0] ?? { path: '' });
    this.queue.clear();
    this.notifications.show({ key: 'status.removed', values: { count, name } }, { undo: true });
  }

  undo(): void {
    const count = this.queue.removal.get().length;
    this.queue.undo();
    for (const toast of this.notifications.toasts.get()) if (toast.undo) this.notifications.dismiss(toast);
    if (count > 0) this.notifications.announce({ key: 'status.restored', values: { count } });
  }

  /** Takes a message away, and with an offer of Undo what it would have brought back. */
  dismiss(toast: Toast): void {
    if (toast.undo) this.queue.forget();
    this.notifications.dismiss(toast);
  }

  /** Brings the first file that has no result into view. */
  showFailed(): void {
    const failed = this.queue.items().find(({ phase }) => phase.phase === 'failed');
    if (failed !== undefined) this.#platform.focusRow(failed.id);
  }

  /** Saves all results, or one item's. A kept original that is gone keeps none of the others from being saved. */
  async save(only?: ItemId): Promise<void> {
    if (this.#saving.get()) return;
    this.#saving.set(true);
    try {
      const wanted = () => this.queue.items().filter(({ id }) => only === undefined || only === id);
      const lost = await this.queue.check(wanted().map(({ id }) => id));
      await this.#download(wanted(), lost);
    } catch {
      // A Blob of the browser's can be gone: its disk was full.
      this.notifications.show({ key: 'save.problem' }, { tone: 'critical' });
    } finally {
      this.#saving.set(false);
    }
  }

  async #download(items: readonly Item[], lost: number): Promise<void> {
    const { filesToSave, makeDownload } = await import('../save/index.ts');
    const now = this.#platform.now();
    const results = filesToSave(items, this.settings.form.get().fileNames, now);
    if (results.length === 0) {
      if (lost > 0) this.notifications.show({ key: 'failure.read' }, { tone: 'critical' });
      return;
    }
    const file = await makeDownload(results, now);
    this.#platform.download(file);
    this.queue.markSaved(items.map(({ id }) => id));
    const values = { name: file.name, size: { bytes: file.blob.size, decimals: 1 } };
    if (lost === 0) this.notifications.show({ key: 'status.saved', values });
    else this.notifications.show({ key: 'save.leftOut', values: { ...values, count: lost } }, { tone: 'critical' });
  }

  #theEngine(): Engine {
    this.#engine ??= this.#platform.createEngine();
    return this.#engine;
  }

  #remember(): void {
    try {
      const storage = this.#platform.storage();
      if (storage !== null) this.settings.remember(storage);
    } catch {
      // Reading `localStorage` itself throws where it is blocked.
    }
  }
}
