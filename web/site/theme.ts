// Light or dark. BOOT_SCRIPT has set the class before the first paint; from then on this is its only writer.

import { useSyncExternalStore } from 'react';
import { safeStorage } from '../app/state/safe-storage.ts';

const KEY = 'theme';
const store = safeStorage(() => localStorage);
const listeners = new Set<() => void>();

/** Runs before the page is drawn, as an inline script whose hash the policy names. Light is the default. */
export const BOOT_SCRIPT = `try{if(localStorage.getItem('${KEY}')==='dark')document.documentElement.classList.add('dark')}catch{}`;

function isDark(): boolean {
  return document.documentElement.classList.contains('dark');
}

export function toggleTheme(): void {
  const dark = !isDark();
  document.documentElement.classList.toggle('dark', dark);
  store.set(KEY, dark ? 'dark' : 'light');
  for (const listener of listeners) listener();
}

export function useIsDark(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isDark,
    () => false,
  );
}
