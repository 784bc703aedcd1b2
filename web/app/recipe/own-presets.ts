// The visitor's presets, stored between visits.

import { type OwnPreset, restorePresets } from '../../domain/presets.ts';
import type { SafeStorage } from '../state/safe-storage.ts';
import { type Readable, Signal } from '../state/signal.ts';

const STORAGE_KEY = 'presets';

export class OwnPresets {
  readonly #list: Signal<readonly OwnPreset[]>;
  readonly #storage: SafeStorage;

  constructor(storage: SafeStorage) {
    this.#storage = storage;
    this.#list = new Signal(restorePresets(parsed(storage.get(STORAGE_KEY))));
  }

  get list(): Readable<readonly OwnPreset[]> {
    return this.#list;
  }

  set(list: readonly OwnPreset[]): void {
    this.#list.set(list);
    if (list.length === 0) this.#storage.remove(STORAGE_KEY);
    else this.#storage.set(STORAGE_KEY, JSON.stringify(list));
  }
}

function parsed(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '[]');
  } catch {
    return [];
  }
}
