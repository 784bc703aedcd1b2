// Observable values, which hold all state of the page. Components read them with `useSignal`.

/** A value that can be read and observed. */
export interface Readable<T> {
  /** The current value; the same reference until it changes. */
  readonly get: () => T;
  /** Calls the listener after every change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** A value that can be set. */
export class Signal<T> implements Readable<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Sets the value and calls the listeners, unless the value is the same as before. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) pending.add(listener);
    if (depth === 0) flush();
  }
}

/** The listeners that are called at the end of the current batch. */
const pending = new Set<() => void>();
let depth = 0;

/** Changes several signals; each listener is called once, after all changes. */
export function batch(change: () => void): void {
  depth += 1;
  try {
    change();
  } finally {
    depth -= 1;
    if (depth === 0) flush();
  }
}

function flush(): void {
  const listeners = [...pending];
  pending.clear();
  for (const listener of listeners) listener();
}

type Sources<Values extends unknown[]> = { [Index in keyof Values]: Readable<Values[Index]> };

/** Returns a value that is computed from other values when it is read, and again only after a source has changed. */
export function computed<Values extends unknown[], Result>(
  sources: readonly [...Sources<Values>],
  compute: (...values: NoInfer<Values>) => Result,
): Readable<Result> {
  let last: { readonly values: Values; readonly result: Result } | undefined;
  return {
    get: () => {
      const values = sources.map((source) => source.get()) as Values;
      if (last === undefined || values.some((value, i) => !Object.is(value, last?.values[i]))) {
        last = { values, result: compute(...values) };
      }
      return last.result;
    },
    subscribe: (listener) => {
      const unsubscribe = sources.map((source) => source.subscribe(listener));
      return () => {
        for (const end of unsubscribe) end();
      };
    },
  };
}
