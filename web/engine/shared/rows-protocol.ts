// The messages between two workers that pass rows on: a decoder to the core, or the core to an encoder. Types, sizes.
//
// The page connects the two by a MessageChannel and takes no further part. Rows travel in chunks, which are
// transferred. The worker that reads them gives credit for each chunk that it has room for, so that the bytes on their
// way are bounded however fast the other one is. A worker that fails tells the page, which then ends both.

/** The size of a chunk; the last one is smaller. */
export const CHUNK_BYTES = 1 << 20;

/** The number of chunks that are on their way or wait to be read, unless one row takes more. */
export const WINDOW_CHUNKS = 4;

export type FromRowsWriter =
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Nothing follows. */
  | { readonly kind: 'end' };

/** So many more chunks may be sent. */
export interface FromRowsReader {
  readonly kind: 'credit';
  readonly chunks: number;
}
