// Loads the part of the page that recovers results.

import type { Session } from './state/session.ts';

/** Offers the results of earlier visits, and keeps those of this one. If it fails, the page works without. */
export async function recoverResults(session: Session): Promise<void> {
  await import('./recovery/index.ts').then((recovery) => recovery.recoverResults(session)).catch(() => undefined);
}
