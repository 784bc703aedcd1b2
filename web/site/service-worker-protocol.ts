// The protocol between pages and the service worker: addresses and messages. Both sides import it.

export const WORKER_PATH = '/sw.js';

/** The address to which other apps share images. Only the service worker answers it; there is no such page. */
export const SHARE_PATH = '/share/';

/** The query of the page that opens after sharing; the page then requests the shared files. */
export const SHARED_QUERY = '?shared';

export interface OfflineState {
  /** The total size of all files that the site needs, in bytes; null if some are not stored yet. */
  readonly bytes: number | null;
}

/** The questions with the types of their answers, which are sent through the message's port. */
export interface WorkerAnswers {
  readonly 'offline-state': OfflineState;
  /** The files that another app has shared. They are returned once. */
  readonly 'shared-files': readonly File[];
}

export type WorkerQuestion = keyof WorkerAnswers;

/** Messages without an answer: take over at once; delete the stored pages, which belong to an old build. */
export type WorkerCommand = 'skip-waiting' | 'drop-pages';

export interface WorkerMessage {
  readonly ask: WorkerQuestion | WorkerCommand;
}
