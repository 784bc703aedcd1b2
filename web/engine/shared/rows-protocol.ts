// The messages between two workers that exchange rows: a decoder and the core, or the core and an encoder. Types and
// sizes only.
//
// The page connects the two by a MessageChannel and takes no further part. Rows are sent in chunks, which are
// transferred. The reading worker gives credit for each chunk for which it has space, so that the bytes in transit are
// bounded at any speed. The memory of a chunk that was read goes back with the credit, because new memory costs more than
// copying the rows. A worker that fails reports this to the page, which then ends both.

/** The size of a chunk; the last one is smaller. */
export const CHUNK_BYTES = 1 << 20;

/** The number of chunks that are in transit or not yet read, unless one row needs more. */
export const WINDOW_CHUNKS = 4;

export type FromRowsWriter =
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The end of the rows. */
  | { readonly kind: 'end' };

/** Allows sending `chunks` more chunks. `buffers` are those of chunks that were read. */
export interface FromRowsReader {
  readonly kind: 'credit';
  readonly chunks: number;
  readonly buffers: readonly ArrayBuffer[];
}
