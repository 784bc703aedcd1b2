// A file as the core's Source. Runs in workers only: FileReaderSync lets the core be ordinary synchronous code.

import type { Source } from './border.ts';

/**
 * How far a file that is read from front to back is read ahead. The core asks for 128 KiB at a time, and every pull is a
 * round trip to another thread or process: 5.9 MB take 34 / 12 / 34 ms in such steps and 13 / 7 / 13 ms in steps of 1 MiB
 * (Chromium / Firefox / WebKit).
 */
const READ_AHEAD_BYTES = 1 << 20;

export class BlobSource implements Source {
  readonly #blob: Blob;
  readonly #reader = new FileReaderSync();
  /** The bytes of the last pull, and where they stand in the file. */
  #window = new Uint8Array(0);
  #windowStart = 0;
  /** The end of the last request. */
  #next = -1;

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
    // Several cursors in one file would throw each other's read-ahead away, so only a request that follows the last
    // one gets it.
    const ahead = offset === this.#next ? READ_AHEAD_BYTES : 0;
    if (!this.#holds(offset)) this.#pull(offset, Math.max(wanted, ahead));
    const at = offset - this.#windowStart;
    const bytes = this.#window.subarray(at, at + wanted);
    into.set(bytes);
    this.#next = offset + bytes.length;
    return bytes.length;
  }

  #holds(offset: number): boolean {
    return offset >= this.#windowStart && offset < this.#windowStart + this.#window.length;
  }

  #pull(offset: number, length: number): void {
    const end = Math.min(offset + length, this.#blob.size);
    const bytes = this.#reader.readAsArrayBuffer(this.#blob.slice(offset, end));
    if (bytes.byteLength !== end - offset) throw new Error(`${bytes.byteLength} bytes came instead of ${end - offset}`);
    this.#window = new Uint8Array(bytes);
    this.#windowStart = offset;
  }
}
