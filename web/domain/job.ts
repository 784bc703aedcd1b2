// What the core is told to do with one file, and what sizing has to know of it. The core has types of its own, made from
// Rust: `web/engine/worker/worker.ts`, where both meet, does not compile where they differ.

import type { Format, WritableFormat } from './formats.ts';

/** A width and a height in pixels, both at least 1. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Whole pixels, counted from the top left corner. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** Red, green, blue, each 0 to 255, in the picture's own colour space. */
export type Rgb = [red: number, green: number, blue: number];

/** Red, green, blue and straight alpha, each 0 to 255. */
export type Rgba = [red: number, green: number, blue: number, alpha: number];

/** The functions that the resampler knows. */
export const KERNELS = ['lanczos3', 'lanczos2', 'mitchell', 'catmull-rom', 'bilinear', 'box', 'nearest'] as const;
export type Kernel = (typeof KERNELS)[number];

/** What a result may say about where, when and how its picture was taken. Colours and rotation are always right. */
export const METADATA_POLICIES = ['keep-without-location', 'keep', 'remove'] as const;
export type MetadataPolicy = (typeof METADATA_POLICIES)[number];

/** In which light samples are added up: `auto` is linear when shrinking and encoded when enlarging. */
export const LIGHTS = ['auto', 'linear', 'encoded'] as const;
export type Light = (typeof LIGHTS)[number];

/** Time that a PNG spends on fewer bytes; its pixels are the same. */
export const EFFORTS = ['fast', 'default', 'smallest'] as const;
export type Effort = (typeof EFFORTS)[number];

/** How a TIFF is coded, without loss. */
export const COMPRESSIONS = ['lzw', 'deflate', 'none'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** The picture's place on a larger ground: borders around a picture that keeps its proportions. */
export interface Canvas {
  readonly size: Size;
  readonly x: number;
  readonly y: number;
  readonly color: Rgba;
}

/** One picture of the output. `crop`, `target` and `canvas` speak of the upright picture. */
export interface Part {
  /** The frame, page or icon entry that it is made from, counted from 0. */
  readonly frame: number;
  readonly crop: Rect;
  readonly target: Size;
  readonly canvas: Canvas | null;
}

/** Exact numbers for one file. */
export interface ResizeJob {
  /** Pages, frames of an animation, or one frame in several sizes; mutable because the border's types are. */
  readonly parts: Part[];
  readonly kernel: Kernel;
  readonly light: Light;
  readonly output: {
    readonly format: WritableFormat;
    /** 1 to 100; null means like the original, between 75 and 92, or 85 where that is unknown. */
    readonly quality: number | null;
    /** What shows through transparent areas where the format has no transparency. */
    readonly background: Rgb;
    /** Of a PNG. */
    readonly effort?: Effort;
    /** Of a TIFF. */
    readonly compression?: Compression;
  };
  readonly metadata: MetadataPolicy;
  /** Bytes that the job may hold at once: its declaration to the pool, and a limit that the core enforces. */
  readonly memory: number;
}

/** What sizing has to know of a file; the core's `ImageInfo` is one. */
export interface Picture {
  readonly format: Format;
  /** As stored, before the picture is turned upright. */
  readonly width: number;
  readonly height: number;
  /** EXIF's number, 1 to 8. */
  readonly orientation: number;
  /** Bits of a sample. */
  readonly depth: number;
  /** Pages, frames or icon entries. */
  readonly frames: number;
  readonly sequence: Sequence;
  /** The upright size of each of them; empty where all are like the first. */
  readonly frameSizes: readonly Size[];
  /** The most telling that is written beside the pixels: nothing, details such as the camera, or a place. */
  readonly carries: 'nothing' | 'details' | 'location';
  /** Bytes that decoding holds at once. */
  readonly workingSet: number;
}

/** What several pictures of one file are to each other. */
export type Sequence = 'single' | 'pages' | 'animation' | 'sizes';

/** The upright size of one of a file's pictures, counted from 0. */
export function frameSize(picture: Picture, frame: number): Size {
  return picture.frameSizes[frame] ?? uprightSize(picture);
}

/** The size of the picture when it stands upright: EXIF's orientations 5 to 8 exchange the sides. */
export function uprightSize({ width, height, orientation }: Pick<Picture, 'width' | 'height' | 'orientation'>): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
