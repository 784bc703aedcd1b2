// Failures: the closed union of the reasons why a file has no result, from the core and from the threads around it.
// Code and tests decide by `code`; `detail` is shown in the "Details" of a message only.

import type { CoreFailure } from './core-types.ts';

interface Detail {
  /** One English sentence from the place where it happened. */
  readonly detail: string;
}

/** The core's reasons, which `crates/wasm/src/failure.rs` documents, and those of the page around it. */
export type Failure =
  | CoreFailure
  | (Detail &
      (
        | { readonly code: 'cancelled' }
        /** The worker died twice, the second time with nothing else running. */
        | { readonly code: 'crashed' }
        /** No WebAssembly, or none with 128-bit SIMD: an old browser, or switched off. */
        | { readonly code: 'wasm-unavailable' }
        /** The worker's script or the core did not load: offline, or a deployment in between. */
        | { readonly code: 'part-missing' }
      ));

export type FailureCode = Failure['code'];

/** A failure in place of a result. */
export interface Failed {
  readonly failure: Failure;
}

/** A result or a failure. */
export type Outcome<T> = T | Failed;

export const CANCELLED: Failed = { failure: { code: 'cancelled', detail: 'aborted by the caller' } };

export function isFailed<T extends object>(outcome: Outcome<T>): outcome is Failed {
  return 'failure' in outcome;
}
