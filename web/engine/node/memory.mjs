// @ts-check
// Files in memory, as the wasm modules read and write them. It is JavaScript, because scripts use it too, and Node 20
// cannot run TypeScript.

/** @typedef {import('../shared/core-types.ts').Source} Source */
/** @typedef {import('../shared/core-types.ts').Sink} Sink */

/**
 * Makes a source of bytes.
 * @param {Uint8Array} bytes
 * @returns {Source}
 */
export function sourceOf(bytes) {
  return {
    byteLen: () => bytes.length,
    readAt(offset, into) {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
  };
}

/**
 * A file in the chunks that were written.
 * @implements {Sink}
 */
export class MemorySink {
  /** @type {Buffer[]} */
  #chunks = [];

  bytes() {
    return Buffer.concat(this.#chunks);
  }

  /** @param {Uint8Array} chunk */
  write(chunk) {
    this.#chunks.push(Buffer.from(chunk));
  }

  /** @param {number} offset @param {Uint8Array} bytes */
  patch(offset, bytes) {
    const whole = this.bytes();
    whole.set(bytes, offset);
    this.#chunks = [whole];
  }

  reread() {
    return sourceOf(this.bytes());
  }

  /** Does nothing: the caller waits for the result and cannot show progress. */
  progress() {}
}
