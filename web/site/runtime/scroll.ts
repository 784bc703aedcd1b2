// The scroll position of each history entry. The browser's own scroll restoration would run before the page is
// rendered.

import type { SafeStorage } from '../../app/state/safe-storage.ts';

export interface ScrollMemory {
  readonly save: (entry: string, y: number) => void;
  readonly of: (entry: string) => number | null;
}

export function createScrollMemory(session: SafeStorage): ScrollMemory {
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
