// Why a file has no result: one closed union for what the core says and for what can happen around it. Messages and
// tests hang on `code`; `detail` is for the "Details" of a message and never for a decision.

import type { Format } from '../domain/formats.ts';
import type { CoreFailure } from './border.ts';

interface Detail {
  /** One English sentence from the place where it happened. */
  readonly detail: string;
}

export type Failure = Detail &
  (
    | { readonly code: 'empty' | 'not-an-image' }
    /** A recognised file of another kind: `PDF`, `video` … */
    | { readonly code: 'other-kind'; readonly kind: string }
    | { readonly code: 'malformed'; readonly format: Format | null }
    /** `feature` is empty when it is the whole format that we lack. */
    | { readonly code: 'unsupported'; readonly format: Format | null; readonly feature: string }
    /** Bytes needed and allowed; 0 where they are not known. */
    | { readonly code: 'memory'; readonly need: number; readonly have: number }
    /** The header claims more pixels than so few bytes can hold. */
    | { readonly code: 'implausible'; readonly width: number; readonly height: number; readonly bytes: number }
    | { readonly code: 'no-size'; readonly width: number; readonly height: number }
    | { readonly code: 'side'; readonly width: number; readonly height: number; readonly max: number }
    | { readonly code: 'parts' }
    /** The file cannot be read any more: moved or changed since it was added. */
    | { readonly code: 'read' }
    | { readonly code: 'write' }
    /** A defect of ours: the output's header does not keep the promise, or the job contradicts itself. */
    | { readonly code: 'contradiction' }
    /** The worker died twice, the second time with nothing else running. */
    | { readonly code: 'crashed' }
    | { readonly code: 'cancelled' }
    /** No WebAssembly, or none with 128-bit SIMD: an old browser, or switched off. */
    | { readonly code: 'wasm-unavailable' }
    /** The worker's script or the core did not load: offline, or a deployment in between. */
    | { readonly code: 'part-missing' }
  );

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

/** The core's failure in the page's words: fields that belong to a code are there, whatever the border left out. */
export function fromCore(core: CoreFailure): Failure {
  const { detail, width = 0, height = 0 } = core;
  switch (core.code) {
    case 'other-kind':
      return { code: core.code, detail, kind: core.kind ?? '' };
    case 'malformed':
      return { code: core.code, detail, format: core.format ?? null };
    case 'unsupported':
      return { code: core.code, detail, format: core.format ?? null, feature: core.feature ?? '' };
    case 'memory':
      return { code: core.code, detail, need: core.need ?? 0, have: core.have ?? 0 };
    case 'implausible':
      return { code: core.code, detail, width, height, bytes: core.bytes ?? 0 };
    case 'no-size':
      return { code: core.code, detail, width, height };
    case 'side':
      return { code: core.code, detail, width, height, max: core.max ?? 0 };
    default:
      return { code: core.code, detail };
  }
}
