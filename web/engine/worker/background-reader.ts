// Reads pieces of files while the core computes.

import { scriptUrl } from '../shared/script-url.ts';

export interface BackgroundReader {
  /** False until the reader can be used, which may be never. */
  readonly isReady: boolean;
  /**
   * Reads a piece. Never rejects: it gives null if the browser refuses, and the synchronous retry reports the error.
   */
  read(piece: Blob): Promise<ArrayBuffer | null>;
}

/**
 * Starts the reader: a thread, except in Firefox. A file of 72 MB and 159 ms of computing together take 277 / 298 / 359
 * ms (Chromium / Firefox / WebKit) if the worker waits for every 8 MiB, 201 / 202 / 234 if another thread reads, and
 * 250 / 202 / 360 if the worker reads asynchronously. In Firefox the other thread gains nothing more, and a worker that
 * has one and also reads synchronously sometimes waits forever.
 */
export function startBackgroundReader(): BackgroundReader {
  return navigator.userAgent.includes('Firefox/') ? SAME_THREAD : new ReadingThread();
}

const SAME_THREAD: BackgroundReader = {
  isReady: true,
  read: (piece) => piece.arrayBuffer().catch(() => null),
};

/** The first message of the thread; without it the thread has not started. */
type Ready = 'ready';

/**
 * The code of the thread. It starts from this function's text, so nothing has to be loaded, and can use no other name
 * of this module.
 */
function serveReads(): void {
  const say = (word: Ready | ArrayBuffer | null, transfer: Transferable[] = []) => postMessage(word, { transfer });
  const reader = new FileReaderSync();
  addEventListener('message', ({ data: piece }: MessageEvent<Blob>) => {
    try {
      const bytes = reader.readAsArrayBuffer(piece);
      say(bytes, [bytes]);
    } catch {
      say(null);
    }
  });
  say('ready');
}

/**
 * A thread that this worker starts, not the page: bytes from a MessagePort are copied on their way, bytes from a
 * worker's own worker are not.
 */
class ReadingThread implements BackgroundReader {
  readonly #asked: ((bytes: ArrayBuffer | null) => void)[] = [];
  #worker: Worker | undefined;
  #isReady = false;

  constructor() {
    const url = URL.createObjectURL(new Blob([`(${serveReads})()`], { type: 'text/javascript' }));
    try {
      this.#worker = new Worker(scriptUrl(url));
    } catch {
      return; // A policy forbids it, or the browser does not support nested workers.
    }
    this.#worker.onerror = (event) => event.preventDefault();
    this.#worker.onmessage = ({ data }: MessageEvent<Ready | ArrayBuffer | null>) => {
      if (data === 'ready') {
        this.#isReady = true;
        URL.revokeObjectURL(url);
      } else {
        this.#asked.shift()?.(data);
      }
    };
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Reads one piece after another. */
  read(piece: Blob): Promise<ArrayBuffer | null> {
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.#worker?.postMessage(piece);
    });
  }
}
