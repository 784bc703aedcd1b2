// Reads pieces of files while the core computes.

import type { FromReadingThread } from '../shared/reads-protocol.ts';

export interface BackgroundReader {
  /** False until the reader can be used, which may be never. */
  readonly isReady: boolean;
  /**
   * Reads a piece. Never rejects: it gives null if the browser refuses, and the synchronous retry reports the error.
   */
  read(piece: Blob): Promise<ArrayBuffer | null>;
}

/** Makes a reader. `thread` is the port of a reading thread; without one this thread reads asynchronously. */
export function backgroundReader(thread: MessagePort | null): BackgroundReader {
  return thread === null ? SAME_THREAD : new ThreadReader(thread);
}

const SAME_THREAD: BackgroundReader = {
  isReady: true,
  read: (piece) => piece.arrayBuffer().catch(() => null),
};

class ThreadReader implements BackgroundReader {
  readonly #port: MessagePort;
  readonly #waiting: ((bytes: ArrayBuffer | null) => void)[] = [];
  #isReady = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromReadingThread>) => {
      if (data === 'ready') this.#isReady = true;
      else this.#waiting.shift()?.(data);
    };
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Reads one piece after another. */
  read(piece: Blob): Promise<ArrayBuffer | null> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#port.postMessage(piece);
    });
  }
}
