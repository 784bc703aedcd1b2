// The words of the wasm border, as `crates/wasm` defines them. Types only: the code behind them is for the worker.

import type { Failure, ImageInfoValue, ReportValue, WarningValue } from './core/core.js';

export type { Sink, Source } from './core/core.js';

/** What the core has said is not for changing. */
type Said<T> = T extends readonly (infer Item)[]
  ? readonly Said<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Said<T[Key]> }
    : T;

export type ImageInfo = Said<ImageInfoValue>;
export type Report = Said<ReportValue>;
export type Warning = Said<WarningValue>;
export type CoreFailure = Said<Failure>;
