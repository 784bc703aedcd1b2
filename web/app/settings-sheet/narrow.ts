// Whether the page is one column. app.module.css has the same width.

import { useSyncExternalStore } from 'react';

const narrow = typeof window === 'undefined' ? null : window.matchMedia('(width < 60rem)');

export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => narrow?.matches ?? false,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  narrow?.addEventListener('change', listener);
  return () => narrow?.removeEventListener('change', listener);
}
