// Results that survive the end of their tab.

import type { Session } from '../state/session.ts';
import { findResults } from './find-results.ts';
import { keepResults } from './keep-results.ts';
import { canStore } from './visits.ts';

/** Offers the results of earlier visits, and keeps those of this one. Does nothing where the browser has no storage. */
export async function recoverResults(session: Session): Promise<void> {
  if (!canStore()) return;
  keepResults(session);
  await findResults(session);
}
