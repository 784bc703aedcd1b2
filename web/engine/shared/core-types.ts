// The types of the core's interface, which `crates/wasm` generates, and the public types of the engine that follow from
// them. Types only: only the worker imports the generated code.

import type { Failure, ImageInfoValue, ReportValue, WarningValue } from '../core/core.js';

export type {
  DecoderOptions,
  DeviceDecoder,
  DevicePicture,
  PictureEncoder,
  PictureSettings,
  ProbeAnswer,
  RunAnswer,
  Sink,
  Source,
  StepsAnswer,
} from '../core/core.js';

/** A type with all of its properties read-only. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The facts about the images of a file, from its header. */
export type ImageInfo = DeepReadonly<ImageInfoValue>;
/** The size, format and warnings of a written file. */
export type Report = DeepReadonly<ReportValue>;
/** A loss in the result: something that was removed or skipped. */
export type Warning = DeepReadonly<WarningValue>;
export type CoreFailure = DeepReadonly<Failure>;
