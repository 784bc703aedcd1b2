// A Sink of the core whose rows another worker reads. It accepts all bytes. Without credit the core pauses between two
// rows, so at most one row more than the credit is sent.

import type { Sink, Source } from '../shared/core-types.ts';
import { CHUNK_BYTES, type FromRowsReader, type FromRowsWriter } from '../shared/rows-protocol.ts';

export class PortSink implements Sink {
  readonly #port: MessagePort;
  readonly #onProgress: (done: number, total: number) => void;
  #chunk = new Uint8Array(CHUNK_BYTES);
  #filled = 0;
  /** The buffers of chunks that were read, for the next chunks. */
  readonly #buffers: ArrayBuffer[] = [];
  /** The number of chunks that may be sent; negative if chunks were sent without credit. */
  #credit = 0;
  #onCredit: (() => void) | undefined;

  constructor(port: MessagePort, onProgress: (done: number, total: number) => void = () => undefined) {
    this.#port = port;
    this.#onProgress = onProgress;
    port.onmessage = ({ data }: MessageEvent<FromRowsReader>) => {
      this.#credit += data.chunks;
      this.#buffers.push(...data.buffers);
      if (this.#credit > 0) this.#onCredit?.();
    };
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + CHUNK_BYTES - this.#filled);
      this.#chunk.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === CHUNK_BYTES) this.#send();
    }
  }

  /**
   * Does nothing, because the bytes were sent. Raw rows patch only their number of frames, which also follows from the
   * end.
   */
  patch(): void {}

  reread(): Source {
    throw new Error('rows that were sent cannot be read again');
  }

  progress(done: number, total: number): void {
    this.#onProgress(done, total);
  }

  /** Returns a promise to await before the next step of the core; undefined if there is credit. */
  beforeStep(): Promise<void> | undefined {
    if (this.#credit > 0) return undefined;
    return new Promise((resolve) => {
      this.#onCredit = resolve;
    });
  }

  /** Sends the remaining bytes and the end. */
  end(): void {
    if (this.#filled > 0) this.#send();
    this.#port.postMessage({ kind: 'end' } satisfies FromRowsWriter);
  }

  #send(): void {
    const bytes = this.#chunk.subarray(0, this.#filled);
    this.#port.postMessage({ kind: 'chunk', bytes } satisfies FromRowsWriter, [bytes.buffer]);
    this.#credit -= 1;
    this.#chunk = new Uint8Array(this.#buffers.pop() ?? new ArrayBuffer(CHUNK_BYTES));
    this.#filled = 0;
  }
}
