// Sharing in groups, because the share sheets of some systems take 25 files at most. Each group needs a click of its
// own: browsers open one sheet for each.

import { type FileToSave, flattened, resultFiles } from '../save/index.ts';
import type { Session } from '../state/session.ts';
import { type Readable, Signal } from '../state/signal.ts';
import { MOST_SHARED } from './ways.ts';

/** The files that are being shared, and how many of them the share sheet has taken. */
export interface Sharing {
  readonly files: readonly FileToSave[];
  readonly done: number;
  /** Whether the share sheet has failed, which is not the same as closing it. */
  readonly hasFailed: boolean;
}

const current = new Signal<Sharing | null>(null);

/** The sharing that has not ended; null if there is none. */
export const sharing: Readable<Sharing | null> = current;

/** Shares the first group of the results. */
export function startSharing(session: Session): Promise<void> {
  const files = resultFiles(session);
  return shareGroup(session, { files, done: 0, hasFailed: false });
}

/** Shares the next group. Call it in the handler of a click. */
export async function shareGroup(session: Session, { files, done }: Sharing): Promise<void> {
  const next = Math.min(done + MOST_SHARED, files.length);
  try {
    await navigator.share({ files: sharedFiles(files).slice(done, next) });
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'AbortError';
    if (isClosed && done === 0) current.set(null);
    else current.set({ files, done, hasFailed: !isClosed });
    return;
  }
  session.queue.markSaved(files.slice(done, next).map(({ item }) => item.id));
  current.set(next === files.length ? null : { files, done: next, hasFailed: false });
  if (next === files.length) session.notifications.show({ key: 'save.shared', values: { count: next } });
}

export function stopSharing(): void {
  current.set(null);
}

/** Returns the files as the share sheet gets them: without folders, under different names. */
export function sharedFiles(files: readonly FileToSave[]): File[] {
  return flattened(files).map(({ name, blob }) => new File([blob], name, { type: blob.type }));
}
