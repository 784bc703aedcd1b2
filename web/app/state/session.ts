// A session: the queue, the settings, the notifications and the user's actions on them. The constructor starts nothing
// and uses no browser interface, so that the static build can render the page; `start` does both.

import type { Engine } from '../../engine/index.ts';
import type { Message } from '../../i18n/messages.ts';
import type { Download } from '../save/index.ts';
import { mainAction, type Stage, stageOf } from './counts.ts';
import { type AddedFiles, type ItemId, nameOf } from './item.ts';
import type { ItemHandle } from './item-list.ts';
import { Notifications, type Toast } from './notifications.ts';
import { Queue, type Status } from './queue.ts';
import type { Recovered } from './recovered.ts';
import type { RunAnnouncer } from './run-announcer.ts';
import type { SafeStorage } from './safe-storage.ts';
import { Settings } from './settings.ts';
import { computed, type Readable, Signal } from './signal.ts';

/** The services of the browser that a session uses. */
export interface Platform {
  readonly createEngine: () => Engine;
  /** Downloads a file. */
  readonly download: (file: Download) => void;
  /** Scrolls to an item's row and focuses it. */
  readonly focusRow: (id: ItemId) => void;
  readonly storage: SafeStorage;
  /** Loads the reader of archives. */
  readonly loadArchives: () => Promise<{
    readonly unpack: (added: AddedFiles) => Promise<AddedFiles & { readonly problems: readonly Message[] }>;
  }>;
  /** Loads what announces runs, and its messages. */
  readonly loadAnnouncer: () => Promise<{ readonly RunAnnouncer: typeof RunAnnouncer }>;
  readonly now: () => Date;
}

/** The state that actions and their buttons depend on. */
export interface View extends Status {
  readonly stage: Stage;
  readonly main: 'add' | 'resize' | 'save';
  readonly hasRecipe: boolean;
}

export class Session {
  readonly settings = new Settings();
  readonly notifications = new Notifications();
  readonly queue: Queue;
  /** The item in the preview; null if it is closed. */
  readonly previewed = new Signal<ItemHandle | null>(null);
  /** Whether the settings are open as a sheet, on a small screen. */
  readonly settingsOpen = new Signal(false);
  /** Whether the list shows the failed items only. */
  readonly onlyFailed = new Signal(false);
  readonly view: Readable<View>;
  /** Whether a file or an archive is being prepared. */
  readonly saving = new Signal(false);
  /** Results that an earlier visit left. */
  readonly recovered = new Signal<Recovered | null>(null);
  readonly platform: Platform;
  #createdEngine: Engine | null = null;

  constructor(platform: Platform) {
    this.platform = platform;
    this.queue = new Queue(() => this.#engine, this.settings.recipe);
    this.view = computed([this.queue.status, this.settings.recipe], (status, recipe) => {
      const stage = stageOf(status.counts, status.run);
      return { ...status, stage, main: mainAction(status.counts, stage), hasRecipe: recipe !== null };
    });
  }

  /** Starts to observe the queue. The returned function ends the engine and all its work. */
  start(): () => void {
    this.settings.remember(this.platform.storage);
    const { status } = this.queue;
    const ends = [
      status.subscribe(() => {
        if (status.get().counts.failed === 0) this.onlyFailed.set(false);
      }),
      this.#announceRuns(),
    ];
    return () => {
      for (const end of ends) end();
      this.#createdEngine?.dispose();
      this.#createdEngine = null;
    };
  }

  /** Prepares the engine and the queue before the first file is added. */
  warmUp(): void {
    void this.queue.load();
    void this.#engine.warm();
  }

  /** Runs a job that belongs to no item's result, such as a thumbnail. */
  readonly runJob: Engine['run'] = (file, job, options) => this.#engine.run(file, job, options);

  /** Reads the header of a file that is no item, such as a result. */
  readonly probeFile: Engine['probe'] = (file, options) => this.#engine.probe(file, options);

  /** Adds files, and shows a message about a folder without images. */
  async add(added: AddedFiles | Promise<AddedFiles>): Promise<void> {
    const { files, emptyFolders, problems } = await this.#withoutArchives(await added);
    if (files.length > 0) {
      this.onlyFailed.set(false);
      this.queue.add(files);
    }
    const [folder] = emptyFolders;
    if (folder !== undefined) {
      this.notifications.show({ key: 'add.problem.folder', values: { folder } }, { tone: 'critical' });
    }
    for (const problem of problems) this.notifications.show(problem, { tone: 'critical' });
  }

  /** Replaces ZIP archives by their images. If the part of the page that reads archives does not load, they stay. */
  async #withoutArchives(added: AddedFiles): Promise<AddedFiles & { readonly problems: readonly Message[] }> {
    if (added.files.some(({ path }) => /\.zip$/i.test(path))) {
      const archives = await this.platform.loadArchives().catch(() => null);
      if (archives !== null) return archives.unpack(added);
    }
    return { ...added, problems: [] };
  }

  /** Adds the images of a clipboard. Shows a message if there is none, or if the browser denies access. */
  async addPasted(pasted: Promise<AddedFiles>): Promise<void> {
    const added = await pasted.catch(() => null);
    if (added !== null && added.files.length > 0) return this.add(added);
    const key = added === null ? 'add.problem.clipboardDenied' : 'add.problem.clipboardEmpty';
    this.notifications.show({ key }, { tone: 'critical' });
  }

  remove(...ids: ItemId[]): void {
    this.queue.remove(...ids);
    this.#notifyRemoved();
  }

  clear(): void {
    this.queue.clear();
    this.#notifyRemoved();
  }

  /** Restores all items that can be restored, and focuses the first of them. */
  undo(): void {
    const restored = this.queue.removal.get();
    this.queue.undo();
    for (const toast of this.notifications.toasts.get()) if (toast.undo) this.notifications.dismiss(toast);
    const [first] = restored;
    if (first === undefined) return;
    this.notifications.announce({ key: 'status.restored', values: { count: restored.length } });
    this.platform.focusRow(first.handle.id);
  }

  /** Closes a toast. A removal is final once its Undo toast is closed. */
  dismiss(toast: Toast): void {
    if (toast.undo) this.queue.forgetRemoval();
    this.notifications.dismiss(toast);
  }

  /** Shows the failed items only, or all items again. */
  toggleFailed(): void {
    this.onlyFailed.set(!this.onlyFailed.get());
  }

  /** Downloads all results, or the result of one item. */
  save(only?: ItemId): Promise<void> {
    return this.whileSaving(async () => {
      // Null if the chunk does not load; the user can try again.
      const save = await import('../save/index.ts').catch(() => null);
      if (save === null) this.notifications.show({ key: 'save.problem' }, { tone: 'critical' });
      else await save.saveResults(this, save.download, only);
    });
  }

  /** Does the work of saving, unless results are being saved already. Shows a message if it fails. */
  async whileSaving(work: () => Promise<void>): Promise<void> {
    if (this.saving.get()) return;
    this.saving.set(true);
    try {
      await work();
    } catch (error) {
      this.notifications.show({ key: 'save.problem' }, { tone: 'critical' });
      // A DOMException is not a bug: the browser fails to read a Blob when the disk is full.
      if (!(error instanceof DOMException)) reportError(error);
    } finally {
      this.saving.set(false);
    }
  }

  /** Announces what happens to the queue. The first image loads the code. */
  #announceRuns(): () => void {
    const { status } = this.queue;
    const first = status.get();
    let announcer: RunAnnouncer | null = null;
    // The statuses since the first image, until the code is there.
    let missed: Status[] = [];
    const load = async () => {
      const { RunAnnouncer } = await this.platform.loadAnnouncer();
      announcer = new RunAnnouncer(this.notifications, () => this.platform.now().getTime(), first);
      for (const each of missed) announcer.onStatus(each);
    };
    return status.subscribe(() => {
      if (announcer !== null) return announcer.onStatus(status.get());
      missed.push(status.get());
      if (missed.length === 1) {
        // If the code does not load, the next change tries again.
        load().catch(() => {
          missed = [];
        });
      }
    });
  }

  #notifyRemoved(): void {
    const removed = this.queue.removal.get();
    const [first] = removed;
    if (first === undefined) return;
    const values = { count: removed.length, name: nameOf(first.handle.item.get()) };
    this.notifications.show({ key: 'status.removed', values }, { undo: true });
  }

  get #engine(): Engine {
    this.#createdEngine ??= this.platform.createEngine();
    return this.#createdEngine;
  }
}
