// The list of items. Each item is its own signal, so that progress of one file renders one row only.

import type { AddedFile, Item, ItemId, Phase } from './item.ts';
import { batch, computed, type Readable, Signal } from './signal.ts';

/** A reference to an item for a row. It stays valid after the item has left the list. */
export interface ItemHandle {
  readonly id: ItemId;
  readonly item: Readable<Item>;
}

interface OwnHandle extends ItemHandle {
  readonly item: Signal<Item>;
}

/** Removed items with their previous indices: those of the last removal first, each removal in the order of the list. */
type Removal = readonly { readonly index: number; readonly handle: OwnHandle }[];

export class ItemList {
  readonly #handles = new Signal<readonly OwnHandle[]>([]);
  readonly #byId = new Map<ItemId, OwnHandle>();
  readonly #removal = new Signal<Removal>([]);
  /** The number of changes to items, except progress. */
  readonly #revision = new Signal(0);
  #lastId: ItemId = 0;

  /** All items in their order. The value changes with every item, except for progress. */
  readonly items: Readable<readonly Item[]> = computed([this.#handles, this.#revision], (handles, _revision) =>
    handles.map(({ item }) => item.get()),
  );

  get handles(): Readable<readonly ItemHandle[]> {
    return this.#handles;
  }

  /** The items that `undo` would restore. */
  get removal(): Readable<readonly { readonly handle: ItemHandle }[]> {
    return this.#removal;
  }

  find(id: ItemId): Item | undefined {
    return this.#byId.get(id)?.item.get();
  }

  /** Adds files at the end and returns their items. */
  add(files: readonly AddedFile[]): Item[] {
    const handles = files.map(({ file, path }): OwnHandle => {
      this.#lastId += 1;
      const id = this.#lastId;
      return {
        id,
        item: new Signal<Item>({ id, file, path, info: null, staysAnimated: false, phase: { phase: 'reading' } }),
      };
    });
    this.#place([...this.#handles.get(), ...handles], handles);
    return handles.map(({ item }) => item.get());
  }

  /** Changes an item. Does nothing if the item has left the list. */
  update(id: ItemId, change: Partial<Omit<Item, 'id' | 'file' | 'path'>>): void {
    const signal = this.#byId.get(id)?.item;
    if (signal === undefined) return;
    batch(() => {
      signal.set({ ...signal.get(), ...change });
      this.#revision.set(this.#revision.get() + 1);
    });
  }

  setPhase(id: ItemId, phase: Phase): void {
    this.update(id, { phase });
  }

  /** Sets the phase of an item without changing `items`. */
  showProgress(id: ItemId, phase: Phase & { phase: 'running' }): void {
    const signal = this.#byId.get(id)?.item;
    signal?.set({ ...signal.get(), phase });
  }

  /** Removes items. They join the items of earlier removals that can still be undone. */
  remove(ids: readonly ItemId[]): void {
    const gone = new Set(ids);
    const handles = this.#handles.get();
    const removed = handles.flatMap((handle, index) => (gone.has(handle.id) ? [{ index, handle }] : []));
    for (const id of ids) this.#byId.delete(id);
    batch(() => {
      this.#handles.set(handles.filter(({ id }) => !gone.has(id)));
      this.#removal.set([...removed, ...this.#removal.get()]);
    });
  }

  /** Restores the removed items at their previous places and returns them. */
  undo(): Item[] {
    const removal = this.#removal.get();
    const handles = [...this.#handles.get()];
    // The last removal comes first, and its indices ascend: so each index is that of the list at this moment.
    for (const { index, handle } of removal) handles.splice(index, 0, handle);
    const returned = removal.map(({ handle }) => handle);
    batch(() => {
      this.#place(handles, returned);
      this.#removal.set([]);
    });
    return returned.map(({ item }) => item.get());
  }

  /** Makes all removals final. */
  forgetRemoval(): void {
    this.#removal.set([]);
  }

  #place(all: readonly OwnHandle[], placed: readonly OwnHandle[]): void {
    for (const handle of placed) this.#byId.set(handle.id, handle);
    this.#handles.set(all);
  }
}
