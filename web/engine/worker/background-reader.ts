// Pieces of files read while the core computes.

import { scriptUrl } from '../shared/script-url.ts';

export interface BackgroundReader {
  /** False until there is somebody to ask, which may be never. */
  readonly isReady: boolean;
  /** Never rejects: gives nothing where the browser refuses, which whoever then reads for himself is told in full. */
  read(piece: Blob): Promise<ArrayBuffer | null>;
}

/**
 * A file of 72 MB and 159 ms of computing together take 277 / 298 / 359 ms (Chromium / Firefox / WebKit) where the worker waits
 * for every 8 MiB, 201 / 202 / 234 where another thread reads, and 250 / 202 / 360 where the worker reads asynchronously.
 * In Firefox the other thread gains nothing more, and now and then a worker that has one and also reads synchronously waits
 * for ever.
 */
export function startBackgroundReader(): BackgroundReader {
  return navigator.userAgent.includes('Firefox/') ? SAME_THREAD : new ReadingThread();
}

const SAME_THREAD: BackgroundReader = {
  isReady: true,
  read: (piece) => piece.arrayBuffer().catch(() => null),
};

/** The thread's first word, since one that never began cannot be waited for. */
type Ready = 'ready';

/** All that the thread does. It is made from this text, so that nothing has to be loaded; nothing outside of it exists there. */
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
 * A thread that belongs to this worker and not to the page, since what comes through a MessagePort is copied on its way, and
 * what comes from a worker of one's own is not.
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
      return; // A policy forbids it, or the browser knows no workers of workers.
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

  /** One piece after the other. */
  read(piece: Blob): Promise<ArrayBuffer | null> {
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.#worker?.postMessage(piece);
    });
  }
}
