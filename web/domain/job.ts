// The job for the core: exact numbers for one output file. The core's own types are generated from Rust. The engine's
// worker uses both and does not compile if they differ.

import type { OptionOf, WritableFormat } from './formats.ts';
import type { Size } from './picture.ts';
import type { Turn } from './turns.ts';

/** A rectangle in whole pixels, counted from the top left corner. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** Red, green and blue, each 0 to 255, in the image's own colour space. */
export type Rgb = [red: number, green: number, blue: number];

/** Red, green, blue and straight alpha, each 0 to 255. */
export type Rgba = [red: number, green: number, blue: number, alpha: number];

/** The resampling kernels. */
export const KERNELS = ['lanczos3', 'lanczos2', 'mitchell', 'catmull-rom', 'bilinear', 'box', 'nearest'] as const;
export type Kernel = (typeof KERNELS)[number];

/** Whether the dark and bright lines stay that some kernels draw along hard edges. */
export const RINGINGS = ['kept', 'limited'] as const;
export type Ringing = (typeof RINGINGS)[number];

/** The metadata that a result keeps. Colours and orientation stay correct with every policy. */
export const METADATA_POLICIES = ['keep-without-location', 'keep', 'remove'] as const;
export type MetadataPolicy = (typeof METADATA_POLICIES)[number];

/** How much of a JPEG is decoded: every pixel, or a half to an eighth of its size if that is enough for the result. */
export const DECODINGS = ['exact', 'fast'] as const;
export type Decoding = (typeof DECODINGS)[number];

/** How much images are sharpened that get smaller. */
export const SHARPENINGS = ['off', 'mild', 'strong'] as const;
export type Sharpening = (typeof SHARPENINGS)[number];

/** Whether images keep their colour profile or are converted to sRGB, which needs none. */
export const PROFILES = ['keep', 'srgb'] as const;
export type Profile = (typeof PROFILES)[number];

/** The kind of values that are averaged: `auto` is linear light when shrinking and encoded values when enlarging. */
export const LIGHTS = ['auto', 'linear', 'encoded'] as const;
export type Light = (typeof LIGHTS)[number];

/** The time spent on a smaller file; the pixels of a PNG are the same. */
export const EFFORTS = ['fast', 'default', 'smallest'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Whether a PNG is reduced to a palette if its source has one and the file gets smaller. */
export const PALETTE_USES = ['like-source', 'exact'] as const;
export type PaletteUse = (typeof PALETTE_USES)[number];

/** The order and the choice of a JPEG's coefficients: `smallest` is progressive, too. */
export const CODINGS = ['baseline', 'progressive', 'smallest'] as const;
export type Coding = (typeof CODINGS)[number];

/** The resolution of a JPEG's colour: `auto` is full from quality 90 and for graphics. */
export const SUBSAMPLINGS = ['auto', 'full', 'reduced'] as const;
export type Subsampling = (typeof SUBSAMPLINGS)[number];

/** The lossless compression of a TIFF. */
export const COMPRESSIONS = ['lzw', 'deflate', 'none'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** A larger area that the image is placed on: the result of the fit `pad`. */
export interface Canvas {
  readonly size: Size;
  readonly x: number;
  readonly y: number;
  readonly color: Rgba;
}

/** One image of the output file. `crop`, `target` and `canvas` refer to the upright image after its turn. */
export interface Part {
  /** The source frame, page or icon entry, counted from 0. */
  readonly frame: number;
  readonly crop: Rect;
  readonly target: Size;
  readonly canvas: Canvas | null;
  /** The turn of the upright image, to which the geometry refers; none if it is not given. */
  readonly turn?: Turn;
}

/** The options of all encoders; each format uses some of them. */
export interface EncodingOptions {
  /** 1 to 100, in steps of a hundredth. Null estimates the source's quality, limited to 75 to 92, or uses 85 if that is unknown. */
  readonly quality: number | null;
  /** Whether every pixel keeps its value, so that the quality means nothing. */
  readonly lossless: boolean;
  /** The colour behind transparent areas if the format has no transparency. */
  readonly background: Rgb;
  readonly coding: Coding;
  readonly subsampling: Subsampling;
  readonly effort: Effort;
  readonly palette: PaletteUse;
  readonly compression: Compression;
  /** The largest number of colours in a palette, 2 to 256. */
  readonly colors: number;
}

/** The output format with its own options: a union by format, derived from the table of formats. */
export type Encoding = {
  [F in WritableFormat]: { readonly format: F } & Pick<EncodingOptions, Extract<OptionOf<F>, keyof EncodingOptions>>;
}[WritableFormat];

export interface ResizeJob {
  /** Pages, frames of an animation, or one frame in several sizes; mutable to match the core's generated types. */
  readonly parts: Part[];
  readonly kernel: Kernel;
  /** `kept` if it is not given. */
  readonly ringing?: Ringing;
  readonly light: Light;
  /** `exact` if it is not given. */
  readonly decoding?: Decoding;
  /** `off` if it is not given. */
  readonly sharpen?: Sharpening;
  /** `keep` if it is not given. */
  readonly profile?: Profile;
  readonly output: Encoding;
  readonly metadata: MetadataPolicy;
  /** The density that the file states, in pixels per inch; that of the source if it is not given. */
  readonly density?: number;
  /** The colour that transparent areas get; they stay if it is not given. JPEG has its own background. */
  readonly flatten?: Rgb;
  /** The bytes that the job may hold at once: the pool admits the job by this number, and the core enforces it. */
  readonly memory: number;
}
