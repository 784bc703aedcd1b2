// Storage that may be blocked: then values last as long as the page.

export interface Store {
  readonly get: (key: string) => string | null;
  /** Whether the value will outlive the page. */
  readonly set: (key: string, value: string) => boolean;
  readonly remove: (key: string) => void;
}

/** @param open e.g. `() => localStorage`, which throws where storage is blocked */
export function tolerant(open: () => Storage): Store {
  const memory = new Map<string, string>();
  function attempt<T>(act: (storage: Storage) => T): T | undefined {
    try {
      return act(open());
    } catch {
      return undefined;
    }
  }
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    set: (key, value) => {
      const kept = attempt((storage) => storage.setItem(key, value) ?? true) === true;
      if (kept) memory.delete(key);
      else memory.set(key, value);
      return kept;
    },
    remove: (key) => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
  };
}
