// A file as the core's Source. Runs in workers only: FileReaderSync lets the core be ordinary synchronous code. What it will
// want next another thread reads meanwhile, as far as can be foreseen.

import type { Source } from '../shared/border.ts';
import type { BackgroundReader } from './background-reader.ts';

/**
 * How far a file that is read from one end to the other is read ahead: each time twice as far, from the first of these to the
 * second. The core asks for 128 KiB at a time, and every pull is a round trip to another thread or process: 72 MB take 1108 /
 * 218 / 998 ms in such steps, 108 / 94 / 114 in steps of 1 MiB and 67 / 84 / 76 in steps of 8 MiB (Chromium / Firefox / WebKit).
 */
const FIRST_AHEAD_BYTES = 1 << 20;
const MOST_AHEAD_BYTES = 8 << 20;

/** What the reader is asked for at least: while it reads so much, the core is at work on what it read before. */
const LEAST_ORDER_BYTES = 4 << 20;

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stretch of the file in memory. */
interface ByteWindow extends ByteRange {
  readonly bytes: Uint8Array;
}

type Direction = 'onward' | 'backward' | 'anywhere';

export class BlobSource implements Source {
  readonly #blob: Blob;
  readonly #sync = new FileReaderSync();
  readonly #reader: BackgroundReader | undefined;
  /** Two at most: the one that the core is in, and the one that it comes to or comes from. */
  #windows: readonly ByteWindow[] = [];
  /** Where the last request began and ended. */
  #last: ByteRange = { start: -1, end: -1 };
  #direction: Direction = 'anywhere';
  #ahead = FIRST_AHEAD_BYTES;
  /** Ends when the window that the reader is busy with is there. */
  #coming: Promise<void> | undefined;
  /** Bytes requested since the last `beforeStep`, and the most that were between any two of them. */
  #step = 0;
  #longestStep = 0;

  /** Without a reader that is ready, this thread waits for the file whenever the core comes to a window's end. */
  constructor(blob: Blob, reader?: BackgroundReader) {
    this.#blob = blob;
    this.#reader = reader;
  }

  /** Has the beginning of the file read in one piece, which a job needs in any case and the core would ask for in many. */
  async begin(): Promise<void> {
    if (this.#reader?.isReady !== true) return;
    const end = Math.min(FIRST_AHEAD_BYTES, this.#blob.size);
    const bytes = await this.#reader.read(this.#blob.slice(0, end));
    if (bytes?.byteLength === end) this.#windows = [{ start: 0, end, bytes: new Uint8Array(bytes) }];
  }

  byteLen(): number {
    return this.#blob.size;
  }

  /** Throws where the browser refuses, which it does when the file was changed or moved since it was chosen. */
  readAt(offset: number, into: Uint8Array): number {
    const wanted = Math.min(into.length, this.#blob.size - offset);
    if (wanted <= 0) return 0;
    this.#direction = this.#directionOf(offset, wanted);
    if (this.#windowAt(offset) === undefined) this.#pull(offset, wanted);
    let given = 0;
    for (let window = this.#windowAt(offset); window !== undefined && given < wanted; ) {
      const from = offset + given - window.start;
      const bytes = window.bytes.subarray(from, from + wanted - given);
      into.set(bytes, given);
      given += bytes.length;
      window = this.#windowAt(offset + given);
    }
    this.#last = { start: offset, end: offset + given };
    this.#step += given;
    this.#order();
    return given;
  }

  /**
   * To be called between two steps of the core, when messages may come in: what has to be waited for, so that the next step,
   * if it is no longer than those before, finds what it needs.
   */
  beforeStep(): Promise<void> | undefined {
    this.#longestStep = Math.max(this.#longestStep, this.#step);
    this.#step = 0;
    const edge = this.#edge();
    if (edge === undefined) return undefined;
    const left = this.#direction === 'backward' ? this.#last.start - edge : edge - this.#last.end;
    return left < this.#longestStep ? this.#coming : undefined;
  }

  /**
   * Several cursors in one file would throw each other's read-ahead away, so only a request that follows the last one, or
   * leads up to it as the rows of a BMP do, gets it.
   */
  #directionOf(offset: number, wanted: number): Direction {
    const { start, end } = this.#last;
    if (offset === end) return 'onward';
    return offset < start && offset + wanted >= start ? 'backward' : 'anywhere';
  }

  #windowAt(offset: number): ByteWindow | undefined {
    return this.#windows.find(({ start, end }) => offset >= start && offset < end);
  }

  /**
   * For want of anything better, has this thread wait for the file. Whoever leaps may come back, as TIFF's readers do from the
   * directory at the end.
   */
  #pull(offset: number, wanted: number): void {
    const { start, end } = this.#rangeFrom(offset, offset + wanted);
    const bytes = this.#sync.readAsArrayBuffer(this.#blob.slice(start, end));
    if (bytes.byteLength !== end - start) throw new Error(`${bytes.byteLength} bytes came instead of ${end - start}`);
    const left = this.#direction === 'anywhere' ? this.#windowAt(this.#last.start) : undefined;
    this.#windows = [...(left === undefined ? [] : [left]), { start, end, bytes: new Uint8Array(bytes) }];
  }

  /** These bytes, and as many more the way the core goes as it deserves by now. */
  #rangeFrom(start: number, end: number): ByteRange {
    if (this.#direction === 'anywhere') {
      this.#ahead = FIRST_AHEAD_BYTES;
      return { start, end };
    }
    const length = Math.max(end - start, this.#ahead);
    this.#ahead = Math.min(2 * length, MOST_AHEAD_BYTES);
    return this.#direction === 'onward'
      ? { start, end: Math.min(start + length, this.#blob.size) }
      : { start: Math.max(0, end - length), end };
  }

  /** Has the next window read once the core has come to the last. */
  #order(): void {
    if (this.#reader?.isReady !== true || this.#coming !== undefined) return;
    const edge = this.#edge();
    if (edge === undefined) return;
    this.#ahead = Math.max(this.#ahead, LEAST_ORDER_BYTES);
    const { start, end } = this.#rangeFrom(edge, edge);
    if (start === end) return;
    this.#coming = this.#reader.read(this.#blob.slice(start, end)).then((bytes) => {
      this.#coming = undefined;
      const current = this.#windowAt(this.#last.start);
      if (bytes?.byteLength === end - start && current !== undefined) {
        this.#windows = [current, { start, end, bytes: new Uint8Array(bytes) }];
      }
    });
  }

  /** Where the core, if it goes on like this, will come to what is not there. */
  #edge(): number | undefined {
    if (this.#direction === 'anywhere') return undefined;
    const isOnward = this.#direction === 'onward';
    const current = this.#windowAt(isOnward ? this.#last.end - 1 : this.#last.start);
    if (current === undefined) return undefined;
    const isThere = this.#windowAt(isOnward ? current.end : current.start - 1) !== undefined;
    return isThere ? undefined : isOnward ? current.end : current.start;
  }
}
