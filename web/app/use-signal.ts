import { useSyncExternalStore } from 'react';
import type { Readable } from './state/signal.ts';

/** Returns the value of a signal; the component renders again when it changes. */
export function useSignal<T>(signal: Readable<T>): T {
  return useSyncExternalStore(signal.subscribe, signal.get, signal.get);
}
