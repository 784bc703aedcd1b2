// The messages between streams.browser.test.ts and its worker. Types only.

/** The first message, as a real worker gets it. */
export interface StartOrder {
  readonly kind: 'start';
  readonly readingThread: MessagePort | null;
}

export interface ReadOrder {
  readonly kind: 'read';
  readonly file: Blob;
  readonly reads: readonly { readonly offset: number; readonly length: number }[];
  /** The number of reads per step of the core. If given, another thread reads ahead between steps. */
  readonly stepLength?: number;
  /** Whether that thread returns nothing, like a browser that refuses to read. */
  readonly refuses?: boolean;
}

export interface WriteOrder {
  readonly kind: 'write';
  readonly steps: readonly ({ readonly write: Uint8Array } | { readonly patch: Uint8Array; readonly offset: number })[];
}

export interface ReadAnswer {
  /** The result of each read. */
  readonly pieces: Uint8Array<ArrayBuffer>[];
  /** The length of each synchronous read of the file. */
  readonly pulls: readonly number[];
}

export interface WriteAnswer {
  readonly blob: Blob;
  /** The whole file from `reread`, read in pieces of 100,000 bytes. */
  readonly reread: Uint8Array;
}
