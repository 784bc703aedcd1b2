// The job for the core: exact numbers for one output file. The core's own types are generated from Rust; the engine's
// worker, where both meet, does not compile where they differ.

import type { OptionOf, WritableFormat } from './formats.ts';
import type { Size } from './picture.ts';

/** Whole pixels, counted from the top left corner. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** Red, green, blue, each 0 to 255, in the image's own colour space. */
export type Rgb = [red: number, green: number, blue: number];

/** Red, green, blue and straight alpha, each 0 to 255. */
export type Rgba = [red: number, green: number, blue: number, alpha: number];

/** The resampling kernels. */
export const KERNELS = ['lanczos3', 'lanczos2', 'mitchell', 'catmull-rom', 'bilinear', 'box', 'nearest'] as const;
export type Kernel = (typeof KERNELS)[number];

/** The metadata that a result keeps. Colours and orientation stay correct with every choice. */
export const METADATA_POLICIES = ['keep-without-location', 'keep', 'remove'] as const;
export type MetadataPolicy = (typeof METADATA_POLICIES)[number];

/** The light in which samples are averaged: `auto` is linear when shrinking and encoded when enlarging. */
export const LIGHTS = ['auto', 'linear', 'encoded'] as const;
export type Light = (typeof LIGHTS)[number];

/** Time spent on a smaller PNG file; the pixels are the same. */
export const EFFORTS = ['fast', 'default', 'smallest'] as const;
export type Effort = (typeof EFFORTS)[number];

/** The lossless compression of a TIFF. */
export const COMPRESSIONS = ['lzw', 'deflate', 'none'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** A larger area that the image is placed on: the borders of an image that keeps its proportions. */
export interface Canvas {
  readonly size: Size;
  readonly x: number;
  readonly y: number;
  readonly color: Rgba;
}

/** One image of the output file. `crop`, `target` and `canvas` refer to the upright image. */
export interface Part {
  /** The source frame, page or icon entry, counted from 0. */
  readonly frame: number;
  readonly crop: Rect;
  readonly target: Size;
  readonly canvas: Canvas | null;
}

/** What encoders can be told; each format takes its own options. */
export interface EncodingOptions {
  /** 1 to 100; null estimates the source's quality, between 75 and 92, or takes 85 where that is unknown. */
  readonly quality: number | null;
  /** The colour behind transparent areas where the format has no transparency. */
  readonly background: Rgb;
  readonly effort: Effort;
  readonly compression: Compression;
}

/** The output format with its own options: a union by format, derived from the table of formats. */
export type Encoding = {
  [F in WritableFormat]: { readonly format: F } & Pick<EncodingOptions, Extract<OptionOf<F>, keyof EncodingOptions>>;
}[WritableFormat];

export interface ResizeJob {
  /** Pages, frames of an animation, or one frame in several sizes; mutable because the core's generated types are. */
  readonly parts: Part[];
  readonly kernel: Kernel;
  readonly light: Light;
  readonly output: Encoding;
  readonly metadata: MetadataPolicy;
  /** Bytes that the job may hold at once: the pool admits it by this number, and the core enforces it. */
  readonly memory: number;
}
