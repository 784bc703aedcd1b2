// A file as a Source of the core. It works only in workers, where FileReaderSync allows the core to be synchronous. A
// background reader reads the next bytes at the same time; read-ahead.ts chooses them.

import type { Source } from '../shared/core-types.ts';
import type { BackgroundReader } from './background-reader.ts';
import { type ByteRange, FIRST_AHEAD_BYTES, MAX_AHEAD_BYTES, ReadAhead, windowAt } from './read-ahead.ts';

/**
 * The bytes of windows in memory: the one that the core reads, and the next one. The scans of a progressive JPEG are read
 * side by side after the file was searched for them; a file of at most this size is then not read again.
 */
const MAX_KEPT_BYTES = 2 * MAX_AHEAD_BYTES;

/** A range of the file in memory. */
interface ByteWindow extends ByteRange {
  readonly bytes: Uint8Array;
}

export class BlobSource implements Source {
  readonly #blob: Blob;
  readonly #sync = new FileReaderSync();
  readonly #reader: BackgroundReader | undefined;
  readonly #readAhead: ReadAhead;
  /** The windows that were read last, in this order. */
  #windows: readonly ByteWindow[] = [];
  /** Resolves when the background read has ended. */
  #coming: Promise<void> | undefined;

  /** Without a ready reader, this thread waits for the file at the end of each window. */
  constructor(blob: Blob, reader?: BackgroundReader) {
    this.#blob = blob;
    this.#reader = reader;
    this.#readAhead = new ReadAhead(blob.size);
  }

  /** Reads the start of the file in one piece. Every job needs it, and the core would request it in many pieces. */
  async begin(): Promise<void> {
    if (this.#reader?.isReady !== true) return;
    const end = Math.min(FIRST_AHEAD_BYTES, this.#blob.size);
    const bytes = await this.#reader.read(this.#blob.slice(0, end));
    if (bytes?.byteLength === end) this.#windows = [{ start: 0, end, bytes: new Uint8Array(bytes) }];
  }

  byteLen(): number {
    return this.#blob.size;
  }

  /** Throws if the browser refuses to read, usually because the file was changed or moved after it was chosen. */
  readAt(offset: number, into: Uint8Array): number {
    const request = { start: offset, end: Math.min(offset + into.length, this.#blob.size) };
    if (request.end <= request.start) return 0;
    this.#readAhead.onRequest(request);
    if (windowAt(this.#windows, offset) === undefined) this.#readNow(request);
    const end = this.#copy(request, into);
    this.#readAhead.onAnswer({ start: offset, end });
    this.#readInBackground();
    return end - offset;
  }

  /**
   * Must be called between two steps of the core. Returns a promise to await, so that the next step finds its bytes in
   * memory; undefined if they are there already.
   */
  beforeStep(): Promise<void> | undefined {
    this.#readAhead.onStep();
    return this.#readAhead.mayRunOut(this.#windows) ? this.#coming : undefined;
  }

  /** Copies the part of a request that the windows contain, and returns its end. */
  #copy({ start, end }: ByteRange, into: Uint8Array): number {
    let at = start;
    for (let window = windowAt(this.#windows, at); window !== undefined && at < end; ) {
      const bytes = window.bytes.subarray(at - window.start, end - window.start);
      into.set(bytes, at - start);
      at += bytes.length;
      window = windowAt(this.#windows, at);
    }
    return at;
  }

  /** Reads synchronously. */
  #readNow(request: ByteRange): void {
    const { start, end } = this.#readAhead.rangeFor(request);
    const bytes = this.#sync.readAsArrayBuffer(this.#blob.slice(start, end));
    if (bytes.byteLength !== end - start) throw new Error(`${bytes.byteLength} bytes came instead of ${end - start}`);
    this.#add({ start, end, bytes: new Uint8Array(bytes) });
  }

  /** Adds a window, and removes the oldest ones that are too many with it. */
  #add(window: ByteWindow): void {
    let length = 0;
    const isKept = ({ bytes }: ByteWindow) => {
      length += bytes.length;
      return length <= MAX_KEPT_BYTES;
    };
    this.#windows = [...this.#windows, window].reverse().filter(isKept).reverse();
  }

  /** Starts to read the next window when the core has reached the last one. */
  #readInBackground(): void {
    if (this.#reader?.isReady !== true || this.#coming !== undefined) return;
    const range = this.#readAhead.next(this.#windows);
    if (range === null) return;
    const { start, end } = range;
    this.#coming = this.#reader.read(this.#blob.slice(start, end)).then((bytes) => {
      this.#coming = undefined;
      if (bytes?.byteLength === end - start) this.#add({ start, end, bytes: new Uint8Array(bytes) });
    });
  }
}
