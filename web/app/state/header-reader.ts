// Reads the headers of new items and sets their phases.

import type { Engine } from '../../engine/index.ts';
import { isFailed } from '../../engine/lazy.ts';
import type { Item, ItemId } from './item.ts';
import type { ItemList } from './item-list.ts';
import { batch } from './signal.ts';

export class HeaderReader {
  readonly #engine: () => Engine;
  readonly #list: ItemList;
  readonly #reading = new Map<ItemId, AbortController>();

  constructor(engine: () => Engine, list: ItemList) {
    this.#engine = engine;
    this.#list = list;
  }

  /** Reads one item's header and then calls `onRead` with the item, which is ready or has failed. */
  async read({ id, file }: Item, onRead: (item: Item) => void): Promise<void> {
    const controller = new AbortController();
    this.#reading.set(id, controller);
    const outcome = await this.#engine().probe(file, { signal: controller.signal });
    if (this.#reading.get(id) !== controller) return;
    this.#reading.delete(id);
    batch(() => {
      if (!isFailed(outcome)) this.#list.update(id, { info: outcome, phase: { phase: 'ready' } });
      else this.#list.setPhase(id, { phase: 'failed', failure: outcome.failure, resultKey: null });
      const item = this.#list.find(id);
      if (item !== undefined) onRead(item);
    });
  }

  /** Stops reading. The items keep their phase, `reading`. */
  cancel(ids: readonly ItemId[]): void {
    for (const id of ids) {
      const controller = this.#reading.get(id);
      this.#reading.delete(id);
      controller?.abort();
    }
  }
}
