// The services of a browser that a session needs.

import { createLazyEngine } from '../engine/lazy.ts';
import { focusRow } from './queue/index.ts';
import type { Download } from './save/index.ts';
import { safeStorage } from './state/safe-storage.ts';
import type { Platform } from './state/session.ts';

/** An object URL is read after the click, on a slow disk much later: it stays valid for a minute. */
const URL_MILLISECONDS = 60_000;

export const browserPlatform: Platform = {
  createEngine: createLazyEngine,
  download,
  storage: safeStorage(() => window.localStorage),
  focusRow,
  now: () => new Date(),
};

/** Hands a file to the browser's downloads. */
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
