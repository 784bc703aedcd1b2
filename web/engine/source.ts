// A file as the core's Source. Runs in workers only: FileReaderSync lets the core be ordinary synchronous code.

import type { Source } from './border.ts';

/**
 * How far a file that is read from one end to the other is read ahead: each time twice as far, from the first of these to the
 * second. The core asks for 128 KiB at a time, and every pull is a round trip to another thread or process: 72 MB take 1108 /
 * 218 / 998 ms in such steps, 108 / 94 / 114 in steps of 1 MiB and 67 / 84 / 76 in steps of 8 MiB (Chromium / Firefox / WebKit).
 */
const FIRST_AHEAD_BYTES = 1 << 20;
const MOST_AHEAD_BYTES = 8 << 20;

export class BlobSource implements Source {
  readonly #blob: Blob;
  readonly #reader = new FileReaderSync();
  /** The bytes of the last pull, and where they stand in the file. */
  #window = new Uint8Array(0);
  #windowStart = 0;
  /** Where the last request began and ended. */
  #last = { start: -1, end: -1 };
  #ahead = FIRST_AHEAD_BYTES;

  constructor(blob: Blob) {
    this.#blob = blob;
  }

  byteLen(): number {
    return this.#blob.size;
  }

  /** Throws where the browser refuses, which it does when the file was changed or moved since it was chosen. */
  readAt(offset: number, into: Uint8Array): number {
    const wanted = Math.min(into.length, this.#blob.size - offset);
    if (wanted <= 0) return 0;
    if (!this.#holds(offset)) this.#pull(offset, wanted);
    const at = offset - this.#windowStart;
    const bytes = this.#window.subarray(at, at + wanted);
    into.set(bytes);
    this.#last = { start: offset, end: offset + bytes.length };
    return bytes.length;
  }

  #holds(offset: number): boolean {
    return offset >= this.#windowStart && offset < this.#windowStart + this.#window.length;
  }

  /**
   * Several cursors in one file would throw each other's read-ahead away, so only a request that follows the last one, or
   * leads up to it as the rows of a BMP do, gets it.
   */
  #pull(offset: number, wanted: number): void {
    const { start, end } = this.#last;
    const isOnward = offset === end;
    const isBackward = offset < start && offset + wanted >= start;
    if (!isOnward && !isBackward) {
      this.#ahead = FIRST_AHEAD_BYTES;
      this.#read(offset, offset + wanted);
      return;
    }
    const ahead = Math.max(wanted, this.#ahead);
    if (isOnward) this.#read(offset, offset + ahead);
    else this.#read(offset + wanted - ahead, offset + wanted);
    this.#ahead = Math.min(2 * ahead, MOST_AHEAD_BYTES);
  }

  #read(from: number, to: number): void {
    const start = Math.max(0, from);
    const end = Math.min(to, this.#blob.size);
    const bytes = this.#reader.readAsArrayBuffer(this.#blob.slice(start, end));
    if (bytes.byteLength !== end - start) throw new Error(`${bytes.byteLength} bytes came instead of ${end - start}`);
    this.#window = new Uint8Array(bytes);
    this.#windowStart = start;
  }
}
