// The agreement between pages and the service worker: addresses and messages. Both sides import it.

export const WORKER_PATH = '/sw.js';

/** The address to which other apps share images. The service worker answers it; no such page exists. */
export const SHARE_PATH = '/share/';

/** The query of the page that opens after sharing: it asks for the shared files. */
export const SHARED_QUERY = '?shared';

export interface OfflineState {
  /** Bytes of all files that the site needs, or null where some are not stored yet. */
  readonly bytes: number | null;
}

/** The questions, each with the type of its answer, which comes through the message's port. */
export interface WorkerAnswers {
  readonly 'offline-state': OfflineState;
  /** The files that another app has shared; given once. */
  readonly 'shared-files': readonly File[];
}

export type WorkerQuestion = keyof WorkerAnswers;

/** Messages without an answer: take over at once; drop the stored pages, which are of an old build. */
export type WorkerCommand = 'skip-waiting' | 'drop-pages';

export interface WorkerMessage {
  readonly ask: WorkerQuestion | WorkerCommand;
}
