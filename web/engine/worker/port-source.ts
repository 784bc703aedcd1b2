// A Source of the core with rows that another worker sends. It can only be read forwards and returns NOT_YET while
// bytes are missing.

import type { Source } from '../shared/core-types.ts';
import { CHUNK_BYTES, type FromRowsReader, type FromRowsWriter, WINDOW_CHUNKS } from '../shared/rows-protocol.ts';

/** The value that makes the core repeat the call later. */
const NOT_YET = -1;

interface Chunk {
  /** The offset of the chunk in the stream. */
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export class PortSource implements Source {
  readonly #port: MessagePort;
  /** The chunks from the last request on, in their order. */
  readonly #chunks: Chunk[] = [];
  /** The number of received bytes. */
  #arrived = 0;
  #hasEnded = false;
  /** The number of chunks that may be sent and have not arrived. */
  #credit = 0;
  /** The range of the last request. */
  #from = 0;
  #to = 0;
  #onArrival: (() => void) | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromRowsWriter>) => this.#onMessage(data);
    this.#giveCredit([]);
  }

  /** Returns infinity: the length is unknown until the end has arrived. */
  byteLen(): number {
    return Number.POSITIVE_INFINITY;
  }

  /** Fills `into` with the available rows, or returns NOT_YET. Discards chunks before `offset`, except at the end. */
  readAt(offset: number, into: Uint8Array): number {
    if (offset < this.#from) throw new RangeError('rows are read forwards only');
    if (this.#hasEnded && offset >= this.#arrived) return 0;
    this.#from = offset;
    this.#to = offset + into.length;
    this.#discard(offset);
    if (this.#isWaiting()) return NOT_YET;
    let end = offset;
    for (const { start, bytes } of this.#chunks) {
      if (start >= this.#to) break;
      const piece = bytes.subarray(Math.max(0, offset - start), this.#to - start);
      into.set(piece, Math.max(0, start - offset));
      end = Math.min(start + bytes.length, this.#to);
    }
    return end - offset;
  }

  /**
   * Returns a promise to await before the next step of the core; undefined if the bytes of the last request are there.
   */
  beforeStep(): Promise<void> | undefined {
    if (!this.#isWaiting()) return undefined;
    return new Promise((resolve) => {
      this.#onArrival = resolve;
    });
  }

  #isWaiting(): boolean {
    return this.#to > this.#arrived && !this.#hasEnded;
  }

  /** Gives back the chunks before `offset`. */
  #discard(offset: number): void {
    const buffers: ArrayBuffer[] = [];
    for (let first = this.#chunks[0]; first !== undefined && endOf(first) <= offset; first = this.#chunks[0]) {
      buffers.push(first.bytes.buffer);
      this.#chunks.shift();
    }
    this.#giveCredit(buffers);
  }

  /** Allows as many chunks as fit into the window, or as the request needs. */
  #giveCredit(buffers: ArrayBuffer[]): void {
    const needed = Math.ceil((this.#to - this.#from) / CHUNK_BYTES) + 1;
    const chunks = Math.max(WINDOW_CHUNKS, needed) - this.#chunks.length - this.#credit;
    if (chunks <= 0) return;
    this.#credit += chunks;
    this.#port.postMessage({ kind: 'credit', chunks, buffers } satisfies FromRowsReader, buffers);
  }

  #onMessage(message: FromRowsWriter): void {
    if (message.kind === 'chunk') {
      this.#credit -= 1;
      this.#chunks.push({ start: this.#arrived, bytes: message.bytes });
      this.#arrived += message.bytes.length;
    } else {
      this.#hasEnded = true;
    }
    if (!this.#isWaiting()) this.#onArrival?.();
  }
}

function endOf({ start, bytes }: Chunk): number {
  return start + bytes.length;
}
