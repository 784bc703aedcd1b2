// The protocol between pages and the service worker: addresses and messages. Both sides import it.

export const WORKER_PATH = '/sw.js';

/** The address to which other apps share images. Only the service worker answers it; there is no such page. */
export const SHARE_PATH = '/share/';

/** The query of the page that opens after sharing; the page then requests the shared files. */
export const SHARED_QUERY = '?shared';

/** What a page can do with the files of a format once it has the module for it. */
export interface FormatUse {
  /** The name of the format. */
  readonly format: string;
  readonly use: 'open' | 'save';
}

/** What works without the network. */
export interface OfflineState {
  /** The total size of all stored files in bytes; null if some that each visitor needs are not stored yet. */
  readonly bytes: number | null;
  /** What needs modules that are not stored yet. They are stored when they are first used. */
  readonly missing: readonly FormatUse[];
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

/** Asks for modules to be stored. There is no answer, but news for all pages once something was stored. */
export interface StoreRequest {
  readonly ask: 'store';
  /** The paths of files that the page has loaded, some of them before the service worker could see it. */
  readonly used: readonly string[];
  /** Whether modules may be stored that wait for an idle page. */
  readonly isIdle: boolean;
}

export type WorkerMessage = { readonly ask: WorkerQuestion | WorkerCommand } | StoreRequest;

/** A message from the worker to every page that it serves. */
export interface WorkerNews {
  readonly offline: OfflineState;
}
