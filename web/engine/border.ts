// The words that cross the wasm border, from `crates/wasm`. Types only.

import type { Format } from '../domain/formats.ts';

/** Bytes by position, pulled by the core. */
export interface Source {
  byteLen(): number;
  /** Fills `into`, a view on wasm memory that is valid during the call only. Answers the bytes copied, 0 at the end only. */
  readAt(offset: number, into: Uint8Array): number;
}

/** Bytes in order, pushed by the core. */
export interface Sink {
  /** `bytes` is a view that is valid during the call only. */
  write(bytes: Uint8Array): void;
  /** Overwrites bytes that were written before. */
  patch(offset: number, bytes: Uint8Array): void;
  /** What has been written so far. */
  reread(): Source;
  progress(done: number, total: number): void;
}

export interface Warning {
  readonly code:
    | 'truncated'
    | 'broken-profile'
    | 'profile-dropped'
    | 'first-frame-only'
    | 'depth-reduced'
    | 'flattened'
    | 'skipped';
  readonly rows?: number;
  readonly of?: number;
  readonly frames?: number;
  readonly part?: string;
}

/** What a header tells; sides as stored, before the picture is turned upright. */
export interface ImageInfo {
  readonly format: Format;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Bits of a sample. */
  readonly depth: number;
  readonly channels: number;
  /** EXIF's number, 1 to 8. */
  readonly orientation: number;
  readonly icc: boolean;
  readonly alpha: boolean;
  /** The encoder's quality as far as a lossy file tells, 1 to 100. */
  readonly quality: number | null;
  /** Bytes that decoding holds at once. */
  readonly workingSet: number;
  readonly warnings: readonly Warning[];
}

export interface CoreFailure {
  readonly code:
    | 'empty'
    | 'not-an-image'
    | 'other-kind'
    | 'malformed'
    | 'unsupported'
    | 'memory'
    | 'implausible'
    | 'no-size'
    | 'side'
    | 'parts'
    | 'read'
    | 'write'
    | 'contradiction';
  readonly detail: string;
  readonly format?: Format;
  readonly feature?: string;
  readonly kind?: string;
  readonly width?: number;
  readonly height?: number;
  readonly bytes?: number;
  readonly need?: number;
  readonly have?: number;
  readonly max?: number;
}

/** What happened. */
export interface Report {
  readonly format: Format;
  readonly width: number;
  readonly height: number;
  readonly byteLength: number;
  /** Of the output's bytes, for a ZIP. */
  readonly crc32: number;
  readonly warnings: readonly Warning[];
  /** Bytes that the job's budget counted. */
  readonly memory: number;
}
