// One value that can be watched: all state of the page is made of these. React looks at them through `useCell` only.

import { useSyncExternalStore } from 'react';

/** The side that may look. */
export interface Watchable<T> {
  /** The same reference until something has changed. */
  readonly get: () => T;
  /** Calls after every change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

export class Cell<T> implements Watchable<T> {
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

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** A value that follows from two others; computed when somebody looks, and once for each pair. */
export function derive<A, B, R>(a: Watchable<A>, b: Watchable<B>, compute: (a: A, b: B) => R): Watchable<R> {
  let known: { readonly a: A; readonly b: B; readonly result: R } | undefined;
  return {
    get: () => {
      const now = { a: a.get(), b: b.get() };
      if (known === undefined || !Object.is(known.a, now.a) || !Object.is(known.b, now.b)) {
        known = { ...now, result: compute(now.a, now.b) };
      }
      return known.result;
    },
    subscribe: (listener) => {
      const ends = [a.subscribe(listener), b.subscribe(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

export function useCell<T>(cell: Watchable<T>): T {
  return useSyncExternalStore(cell.subscribe, cell.get, cell.get);
}
