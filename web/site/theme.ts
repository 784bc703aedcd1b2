// Light or dark. BOOT_SCRIPT sets the class on the root element before the first paint; from then on only this module
// does.

import { useSyncExternalStore } from 'react';
import { safeStorage } from '../app/state/safe-storage.ts';
import { Signal } from '../app/state/signal.ts';

const KEY = 'theme';
const storage = safeStorage(() => localStorage);
const dark = new Signal(typeof document !== 'undefined' && document.documentElement.classList.contains('dark'));

/** Runs before the first paint, as an inline script whose hash is in the policy. Light is the default. */
export const BOOT_SCRIPT = `try{if(localStorage.getItem('${KEY}')==='dark')document.documentElement.classList.add('dark')}catch{}`;

export function toggleTheme(): void {
  dark.set(!dark.get());
  document.documentElement.classList.toggle('dark', dark.get());
  storage.set(KEY, dark.get() ? 'dark' : 'light');
}

/** False in the HTML, which is the same for every visitor. */
export function useIsDark(): boolean {
  return useSyncExternalStore(dark.subscribe, dark.get, () => false);
}
