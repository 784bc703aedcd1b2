// Parts of the page that cannot be loaded: usually a deployment has replaced them. Going to the address again brings
// parts that fit together.

import type { Store } from './storage.ts';

const KEY = 'recovered-at';

/** What the bundlers and the three engines say when a part is missing. */
const MESSAGES = [
  /loading (css )?chunk .*failed/i,
  /failed to fetch dynamically imported module/i,
  /error loading dynamically imported module/i,
  /importing a module script failed/i,
  /unable to preload css/i,
];

export function isMissingPart(reason: unknown): boolean {
  const message = reason instanceof Error ? reason.message : String(reason);
  return MESSAGES.some((pattern) => pattern.test(message));
}

export interface Recovery {
  readonly session: Store;
  /** Where the reader was going last. */
  readonly lastHref: () => string;
  readonly hasImages: () => boolean;
  readonly leave: (href: string) => void;
  readonly announceUpdate: () => void;
}

/** @returns the listener for rejections that nobody handled */
export function recoverer(recovery: Recovery): (reason: unknown) => void {
  return (reason) => {
    if (!isMissingPart(reason)) return;
    if (recovery.hasImages()) return recovery.announceUpdate();
    const href = recovery.lastHref();
    // The same address did not help a moment ago: do not go in circles.
    if (recovery.session.get(KEY) === href || !recovery.session.set(KEY, href)) return;
    recovery.leave(href);
  };
}

/** After a page was reached without leaving the document, the next missing part is another story. */
export function forgetRecovery(session: Store): void {
  session.remove(KEY);
}
