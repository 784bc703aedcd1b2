// The browser services that a session needs.

import { createLazyEngine } from '../engine/lazy.ts';
import { focusRow } from './queue/index.ts';
import type { Download } from './save/index.ts';
import { safeStorage } from './state/safe-storage.ts';
import type { Platform } from './state/session.ts';

/** The lifetime of an object URL. Browsers read it after the click, on a slow disk much later. */
const URL_MILLISECONDS = 60_000;

export const browserPlatform: Platform = {
  createEngine: createLazyEngine,
  download,
  storage: safeStorage(() => window.localStorage),
  loadArchives: () => import('./archives/index.ts'),
  loadAnnouncer: () => import('./announcer.ts'),
  focusRow,
  now: () => new Date(),
};

/** Starts a download of a file. */
function download({ name, blob }: Download): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), URL_MILLISECONDS);
}
