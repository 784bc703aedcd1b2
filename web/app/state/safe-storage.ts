// Storage that also works if the browser blocks it or has no space: values then live as long as the page.

export interface SafeStorage {
  readonly get: (key: string) => string | null;
  /** Stores a value. Returns whether it will outlive the page. */
  readonly set: (key: string, value: string) => boolean;
  readonly remove: (key: string) => void;
}

/** Makes a storage. `open` returns the browser's, such as `() => localStorage`, or throws if it is blocked. */
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
