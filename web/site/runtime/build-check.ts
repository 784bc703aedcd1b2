// Notices at the start that the server has another build than this page, which a cache may have kept. Reloads once:
// where that does not help, the deployment is at fault, and a page that works is better than one that reloads for ever.

import type { Store } from './storage.ts';

const KEY = 'reloaded-for-build';

export interface BuildCheck {
  /** The build that this page is from. */
  readonly build: string;
  /** The build that the server has; null where it does not say. */
  readonly currentBuild: () => Promise<string | null>;
  readonly session: Store;
  readonly hasImages: () => boolean;
  readonly reload: () => void;
  /** Tells the service worker that the pages it keeps are old. */
  readonly dropPages: () => void;
  readonly announceUpdate: () => void;
}

export async function checkBuild(check: BuildCheck): Promise<void> {
  const current = await check.currentBuild();
  if (current === null) return;
  if (current === check.build) return check.session.remove(KEY);
  check.dropPages();
  if (check.hasImages()) return check.announceUpdate();
  // A guard that is forgotten is none.
  if (check.session.get(KEY) === null && check.session.set(KEY, check.build)) check.reload();
}
