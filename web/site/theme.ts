// Light or dark theme. BOOT_SCRIPT sets the class on the root element before the first paint; afterwards only this
// module changes it.

import { useSyncExternalStore } from 'react';
import { safeStorage } from '../app/state/safe-storage.ts';
import { Signal } from '../app/state/signal.ts';

const KEY = 'theme';
const storage = safeStorage(() => localStorage);
const dark = new Signal(typeof document !== 'undefined' && document.documentElement.classList.contains('dark'));

/** The inline script that runs before the first paint; the policy contains its hash. Light is the default. */
export const BOOT_SCRIPT = `try{if(localStorage.getItem('${KEY}')==='dark')document.documentElement.classList.add('dark')}catch{}`;

export function toggleTheme(): void {
  dark.set(!dark.get());
  document.documentElement.classList.toggle('dark', dark.get());
  storage.set(KEY, dark.get() ? 'dark' : 'light');
}

/** Returns whether the theme is dark; false in the HTML, which is the same for every visitor. */
export function useIsDark(): boolean {
  return useSyncExternalStore(dark.subscribe, dark.get, () => false);
}
