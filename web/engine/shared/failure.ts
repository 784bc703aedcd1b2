// Why a file has no result: one closed union for what the core says and for what can happen around it. Messages and
// tests hang on `code`; `detail` is for the "Details" of a message and never for a decision.

import type { CoreFailure } from './border.ts';

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

/** What stands in the place of a result. */
export interface Failed {
  readonly failure: Failure;
}

/** A result, or why there is none. */
export type Outcome<T> = T | Failed;

export const CANCELLED: Failed = { failure: { code: 'cancelled', detail: 'asked to stop' } };

export function isFailed<T extends object>(outcome: Outcome<T>): outcome is Failed {
  return 'failure' in outcome;
}
