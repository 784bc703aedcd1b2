// The words of the wasm border, as `crates/wasm` defines them. Types only: the code behind them is for the worker.

import type { Failure, ImageInfoValue, ReportValue, WarningValue } from '../core/core.js';

export type { Sink, Source } from '../core/core.js';

/** What the core has said is not for changing. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

export type ImageInfo = DeepReadonly<ImageInfoValue>;
export type Report = DeepReadonly<ReportValue>;
export type Warning = DeepReadonly<WarningValue>;
export type CoreFailure = DeepReadonly<Failure>;
