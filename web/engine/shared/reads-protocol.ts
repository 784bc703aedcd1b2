// The messages between a worker and the thread that reads files for it. Types only. The page connects the two by a
// MessageChannel; each request is a Blob, answered in order by its bytes, or by null where the browser refuses to read.

/** The page's only message to the reading thread. */
export interface ServeReads {
  readonly port: MessagePort;
}

/** `ready` is the first message of the thread: requests to a thread that never started would wait for ever. */
export type FromReadingThread = 'ready' | ArrayBuffer | null;
