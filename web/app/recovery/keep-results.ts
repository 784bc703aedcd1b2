// Keeps results that are not saved in the browser's storage, so that they survive a tab that the system kills, as phones
// do. The copy of a result is deleted when it is saved, cleared or replaced.

import type { NamedFile } from '../save/index.ts';
import { resultFiles } from '../save/index.ts';
import type { ItemId, OutputFiles } from '../state/item.ts';
import type { Session } from '../state/session.ts';
import { Visit } from './visits.ts';

/** The results of one item in the storage. */
interface Kept {
  readonly outputs: OutputFiles;
  readonly numbers: readonly number[];
}

/** Stores results from now on. Stops at the first failure: the storage is full or not available. */
export function keepResults(session: Session): void {
  const keeper = new Keeper(session);
  let running = false;
  let again = false;
  const update = async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      await keeper.update();
    }
    running = false;
  };
  const unsubscribe = session.queue.items.subscribe(() => void update().catch(unsubscribe));
}

class Keeper {
  readonly #session: Session;
  readonly #kept = new Map<ItemId, Kept>();
  #visit: Visit | null = null;
  #next = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Makes the storage equal to the results that are not saved. */
  async update(): Promise<void> {
    const unsaved = this.#unsaved();
    for (const [id, { outputs, numbers }] of this.#kept) {
      if (unsaved.get(id) === outputs) continue;
      this.#kept.delete(id);
      for (const number of numbers) await this.#visit?.delete(number);
    }
    const missing = [...unsaved].filter(([id]) => !this.#kept.has(id));
    if (missing.length > 0) await this.#store(missing);
    else if (unsaved.size === 0) await this.#end();
  }

  #unsaved(): Map<ItemId, OutputFiles> {
    const items = this.#session.queue.items.get();
    return new Map(
      items.flatMap(({ id, phase }) => (phase.phase === 'done' && !phase.saved ? [[id, phase.outputs]] : [])),
    );
  }

  async #store(missing: readonly (readonly [ItemId, OutputFiles])[]): Promise<void> {
    this.#visit ??= await Visit.begin();
    const files = new Map<ItemId, NamedFile[]>();
    for (const file of resultFiles(this.#session)) files.set(file.item.id, [...(files.get(file.item.id) ?? []), file]);
    for (const [id, outputs] of missing) {
      const own = files.get(id) ?? [];
      const numbers = own.map((_, i) => this.#next + i);
      this.#next += own.length;
      this.#kept.set(id, { outputs, numbers });
      for (const [i, file] of own.entries()) await this.#visit.write(numbers[i] ?? 0, file);
    }
  }

  async #end(): Promise<void> {
    const visit = this.#visit;
    this.#visit = null;
    await visit?.end();
  }
}
