// Results that an earlier visit left on the device, because its tab was closed or killed before they were saved.

export interface Recovered {
  /** The number of files. */
  readonly count: number;
  /** Downloads them. They are deleted at the next visit, because a download may still read them. */
  readonly save: () => Promise<void>;
  /** Deletes them. */
  readonly remove: () => Promise<void>;
}
