// The output of the core, collected into a Blob. It works only in workers.

import type { Sink, Source } from '../shared/core-types.ts';
import { BlobSource } from './source.ts';

/**
 * The bytes that stay in the worker's memory. Earlier bytes are moved to Blobs, which a browser may store on the disk.
 */
const FOLD_BYTES = 4 << 20;

/** The interval of progress reports. Ten per second look smooth, and each one takes time of the page. */
const PROGRESS_INTERVAL_MS = 100;

interface Folded {
  readonly start: number;
  readonly blob: Blob;
}

export class BlobSink implements Sink {
  readonly #onProgress: (fraction: number) => void;
  #folded: readonly Folded[] = [];
  #foldedLength = 0;
  #tail = new Uint8Array(1 << 16);
  #tailLength = 0;
  #reported = performance.now();

  constructor(onProgress: (fraction: number) => void) {
    this.#onProgress = onProgress;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      this.#makeRoom(bytes.length - at);
      const chunk = bytes.subarray(at, at + this.#tail.length - this.#tailLength);
      this.#tail.set(chunk, this.#tailLength);
      this.#tailLength += chunk.length;
      at += chunk.length;
    }
  }

  patch(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    if (offset < 0 || end > this.#foldedLength + this.#tailLength) throw new RangeError('the patch is beyond the end');
    const inFolded = bytes.subarray(0, Math.max(0, this.#foldedLength - offset));
    if (inFolded.length > 0) this.#folded = this.#folded.flatMap((part) => patched(part, offset, inFolded));
    this.#tail.set(bytes.subarray(inFolded.length), Math.max(0, offset - this.#foldedLength));
  }

  reread(): Source {
    return new BlobSource(this.toBlob(''));
  }

  progress(done: number, total: number): void {
    const now = performance.now();
    if (now - this.#reported < PROGRESS_INTERVAL_MS || total <= 0) return;
    this.#reported = now;
    this.#onProgress(Math.min(1, done / total));
  }

  /** Returns the bytes written so far as one Blob. Folded parts are referenced, not copied. */
  toBlob(mime: string): Blob {
    const tail = this.#tail.subarray(0, this.#tailLength);
    return new Blob([...this.#folded.map(({ blob }) => blob), tail], { type: mime });
  }

  /** Makes space for at least one byte at the end of the tail: enlarges it, or moves it to a Blob. */
  #makeRoom(coming: number): void {
    if (this.#tailLength < this.#tail.length) return;
    if (this.#tail.length >= FOLD_BYTES) {
      this.#folded = [...this.#folded, { start: this.#foldedLength, blob: new Blob([this.#tail]) }];
      this.#foldedLength += this.#tailLength;
      this.#tailLength = 0;
      return;
    }
    const length = Math.min(FOLD_BYTES, Math.max(this.#tail.length * 2, this.#tailLength + coming));
    const grown = new Uint8Array(length);
    grown.set(this.#tail);
    this.#tail = grown;
  }
}

/** Replaces the bytes of a folded part that `bytes` overlaps; `offset` is the position of `bytes` in the file. */
function patched(part: Folded, offset: number, bytes: Uint8Array): Folded[] {
  const from = Math.max(offset, part.start);
  const to = Math.min(offset + bytes.length, part.start + part.blob.size);
  if (from >= to) return [part];
  const replaced = bytes.slice(from - offset, to - offset);
  const before = part.blob.slice(0, from - part.start);
  const after = part.blob.slice(to - part.start);
  return [{ start: part.start, blob: new Blob([before, replaced, after]) }];
}
