// How far down each entry of the history was read. The browser's own memory cannot be used: it restores before the page
// is there.

import type { Store } from './storage.ts';

export interface ScrollMemory {
  readonly save: (entry: string, y: number) => void;
  readonly of: (entry: string) => number | null;
}

export function createScrollMemory(session: Store): ScrollMemory {
  return {
    save: (entry, y) => {
      session.set(`scroll:${entry}`, String(Math.round(y)));
    },
    of: (entry) => {
      const saved = session.get(`scroll:${entry}`);
      return saved === null ? null : Number(saved);
    },
  };
}
