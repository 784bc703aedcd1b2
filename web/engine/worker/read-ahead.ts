// Decides which bytes of a file to read before the core requests them. The functions are pure; source.ts reads the
// file.
//
// The core requests 128 KiB at a time, and each read of a Blob is a round trip to another thread or process. So a file
// that is read sequentially is read in ranges that double in length. 72 MB take 1108 / 218 / 998 ms in steps of 128
// KiB, 108 / 94 / 114 ms in steps of 1 MiB and 67 / 84 / 76 ms in steps of 8 MiB (Chromium / Firefox / WebKit).

/** The bytes from `start` to `end`, without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export const FIRST_AHEAD_BYTES = 1 << 20;
export const MAX_AHEAD_BYTES = 8 << 20;

/** The shortest range to read in the background: the core must have work for the time of the read. */
const MIN_BACKGROUND_BYTES = 4 << 20;

type Direction = 'forward' | 'backward' | 'random';

export class ReadAhead {
  readonly #fileLength: number;
  #last: ByteRange = { start: -1, end: -1 };
  #direction: Direction = 'random';
  /** The length of the next range. */
  #ahead = FIRST_AHEAD_BYTES;
  /** The bytes requested since the last step of the core started, and in the longest step so far. */
  #step = 0;
  #longestStep = 0;

  constructor(fileLength: number) {
    this.#fileLength = fileLength;
  }

  /** The last answered request. */
  get last(): ByteRange {
    return this.#last;
  }

  /**
   * Records a request. It is sequential if it continues the last one in either direction; the rows of a BMP are read
   * backward. Other requests read nothing ahead, because several cursors in one file would discard each other's
   * windows.
   */
  onRequest({ start, end }: ByteRange): void {
    const { last } = this;
    if (start === last.end) this.#direction = 'forward';
    else if (start < last.start && end >= last.start) this.#direction = 'backward';
    else this.#direction = 'random';
  }

  onAnswer(range: ByteRange): void {
    this.#last = range;
    this.#step += range.end - range.start;
  }

  onStep(): void {
    this.#longestStep = Math.max(this.#longestStep, this.#step);
    this.#step = 0;
  }

  /** Returns the range to read now for a request whose bytes no window contains. */
  rangeFor({ start, end }: ByteRange): ByteRange {
    if (this.#direction === 'random') {
      this.#ahead = FIRST_AHEAD_BYTES;
      return { start, end };
    }
    const length = Math.max(end - start, this.#ahead);
    this.#ahead = Math.min(2 * length, MAX_AHEAD_BYTES);
    return this.#direction === 'forward'
      ? { start, end: Math.min(start + length, this.#fileLength) }
      : { start: Math.max(0, end - length), end };
  }

  /** Returns the range to read in the background; null if the core reads at random or the next window exists. */
  next(windows: readonly ByteRange[]): ByteRange | null {
    const edge = this.#edge(windows);
    if (edge === null) return null;
    this.#ahead = Math.max(this.#ahead, MIN_BACKGROUND_BYTES);
    const range = this.rangeFor({ start: edge, end: edge });
    return range.start === range.end ? null : range;
  }

  /** Whether the next step may need bytes beyond the windows if it is as long as the longest so far. */
  mayRunOut(windows: readonly ByteRange[]): boolean {
    const edge = this.#edge(windows);
    if (edge === null) return false;
    const left = this.#direction === 'backward' ? this.#last.start - edge : edge - this.#last.end;
    return left < this.#longestStep;
  }

  /** Returns the end of the current window in the core's direction; null if the window behind it exists. */
  #edge(windows: readonly ByteRange[]): number | null {
    if (this.#direction === 'random') return null;
    const isForward = this.#direction === 'forward';
    const current = windowAt(windows, isForward ? this.#last.end - 1 : this.#last.start);
    if (current === undefined) return null;
    const hasNext = windowAt(windows, isForward ? current.end : current.start - 1) !== undefined;
    if (hasNext) return null;
    return isForward ? current.end : current.start;
  }
}

/** Returns the window that contains the byte at `offset`. */
export function windowAt<Window extends ByteRange>(windows: readonly Window[], offset: number): Window | undefined {
  return windows.find(({ start, end }) => offset >= start && offset < end);
}
