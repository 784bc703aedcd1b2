// The work of the queue: it reads, counts and runs items. The first file loads this code.

import type { Recipe } from '../../domain/recipe.ts';
import type { Engine } from '../../engine/index.ts';
import { countItems } from './count-items.ts';
import { HeaderReader } from './header-reader.ts';
import type { Item, ItemId } from './item.ts';
import type { ItemList } from './item-list.ts';
import { isPending } from './item-plan.ts';
import { exampleOf } from './plans.ts';
import { Run, type RunSignals } from './run.ts';

export class QueueWork {
  readonly count = countItems;
  readonly exampleOf = exampleOf;
  readonly isPending = isPending;
  readonly run: Run;
  readonly #headers: HeaderReader;

  constructor(engine: () => Engine, list: ItemList, signals: RunSignals) {
    this.#headers = new HeaderReader(engine, list);
    this.run = new Run(engine, list, signals);
  }

  /** Reads the headers of items. Those that have joined a run then take part in it. */
  read(items: readonly Item[]): void {
    for (const item of items) void this.#headers.read(item, (read) => this.run.proceed(read));
  }

  /** Starts a run of the items whose headers have been read. Does nothing if the settings are invalid. */
  start(items: readonly Item[], recipe: Recipe | null): void {
    if (recipe === null) return;
    this.run.start(
      items.filter(({ info }) => info !== null),
      recipe,
    );
  }

  /** Stops all work on items, before they leave the list. */
  drop(ids: readonly ItemId[]): void {
    this.#headers.cancel(ids);
    this.run.drop(ids);
  }
}
