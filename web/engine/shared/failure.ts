// Failures: the closed union of the reasons why a file has no result, from the core and from the worker threads. Code
// and tests use `code`; `detail` is shown only in the "Details" of a message.

import type { CoreFailure } from './core-types.ts';

interface Detail {
  /** One English sentence from the code that failed. */
  readonly detail: string;
}

/** The failures of the core, which `crates/border/src/failure.rs` documents, and those of the page. */
export type Failure =
  | CoreFailure
  | (Detail &
      (
        | { readonly code: 'cancelled' }
        /** The worker crashed twice, the second time while nothing else was running. */
        | { readonly code: 'crashed' }
        /** WebAssembly with 128-bit SIMD is missing: the browser is old, or WebAssembly is switched off. */
        | { readonly code: 'wasm-unavailable' }
        /** The worker's script or the core did not load: the device is offline, or a deployment has replaced them. */
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
