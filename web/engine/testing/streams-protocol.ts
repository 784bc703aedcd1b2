// What streams.browser.test.ts and its worker say to each other. Types only.

export interface ReadOrder {
  readonly kind: 'read';
  readonly file: Blob;
  readonly reads: readonly { readonly offset: number; readonly length: number }[];
  /** Reads in a step of the core; with it, another thread reads ahead between steps. */
  readonly stepLength?: number;
  /** Whether that thread gives nothing, as it does where a browser refuses. */
  readonly refuses?: boolean;
}

export interface WriteOrder {
  readonly kind: 'write';
  readonly steps: readonly ({ readonly write: Uint8Array } | { readonly patch: Uint8Array; readonly offset: number })[];
}

export interface ReadAnswer {
  /** What each read gave. */
  readonly pieces: Uint8Array<ArrayBuffer>[];
  /** Bytes of each round trip to the file that the worker waited for. */
  readonly pulls: readonly number[];
}

export interface WriteAnswer {
  readonly blob: Blob;
  /** The whole, as `reread` gives it, read in pieces of 100 000 bytes. */
  readonly reread: Uint8Array;
}
