// The types of the core's interface, which `crates/wasm` generates, and the public types of the engine made from them.
// Types only: the generated code is for the worker.

import type { Failure, ImageInfoValue, ReportValue, WarningValue } from '../core/core.js';

export type { Sink, Source } from '../core/core.js';

/** The same type with all of its properties read-only. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** What the header of a file says about its images. */
export type ImageInfo = DeepReadonly<ImageInfoValue>;
/** The size, format and warnings of a written file. */
export type Report = DeepReadonly<ReportValue>;
/** Something that was lost or left out. */
export type Warning = DeepReadonly<WarningValue>;
export type CoreFailure = DeepReadonly<Failure>;
