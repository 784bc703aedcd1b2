// Storage that works where the browser blocks it or has no room: then values last as long as the page.

export interface SafeStorage {
  readonly get: (key: string) => string | null;
  /** @returns whether the value will outlive the page */
  readonly set: (key: string, value: string) => boolean;
  readonly remove: (key: string) => void;
}

/** `open` returns a storage, such as `() => localStorage`; it throws where storage is blocked. */
export function safeStorage(open: () => Storage): SafeStorage {
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
      const stored = attempt((storage) => storage.setItem(key, value) ?? true) === true;
      if (stored) memory.delete(key);
      else memory.set(key, value);
      return stored;
    },
    remove: (key) => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
  };
}
