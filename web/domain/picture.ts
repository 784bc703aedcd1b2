// The facts about a source image that planning needs, and its upright geometry.

import type { Format, Sequence } from './formats.ts';

/** A width and a height in pixels, both at least 1. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A source file as its header describes it. The engine's `ImageInfo` has this type. */
export interface Picture {
  readonly format: Format;
  /** The stored width, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** The EXIF orientation, 1 to 8. */
  readonly orientation: number;
  /** Bits per sample. */
  readonly depth: number;
  /** The number of channels as stored: four without alpha are inks. */
  readonly channels: number;
  /** Whether pixels may be transparent. */
  readonly alpha: boolean;
  /** Whether a colour profile is embedded. */
  readonly icc: boolean;
  /** The number of pages, frames or icon entries. */
  readonly frames: number;
  readonly sequence: Sequence;
  /** The upright size of each frame; empty if all frames have the size of the first. */
  readonly frameSizes: readonly Size[];
  /** The most sensitive metadata in the file: none, details such as the camera, or a location. */
  readonly metadata: 'none' | 'details' | 'location';
  /** The bytes that decoding holds at once. */
  readonly workingSet: number;
  /** Whether colours are stored in a palette. */
  readonly hasPalette: boolean;
  /** Whether the file states that it has a gain map for HDR screens. */
  readonly hasGainMap: boolean;
}

/** Returns the upright size of one frame, counted from 0. */
export function frameSize(picture: Picture, frame: number): Size {
  return picture.frameSizes[frame] ?? uprightSize(picture);
}

/** Returns the size after rotation: EXIF orientations 5 to 8 exchange width and height. */
export function uprightSize({ width, height, orientation }: Pick<Picture, 'width' | 'height' | 'orientation'>): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Whether the colours are sRGB, as far as the header tells. */
export function isSrgb({ channels, alpha, icc }: Picture): boolean {
  const hasInks = channels - Number(alpha) === 4;
  return !icc && !hasInks;
}

/** Returns the numbers of all frames. */
export function everyFrame({ frames }: Picture): number[] {
  return Array.from({ length: frames }, (_, frame) => frame);
}

export function areaOf({ width, height }: Size): number {
  return width * height;
}

/** Returns the rounded number of megapixels. */
export function megapixelsOf(size: Size): number {
  return Math.round(areaOf(size) / 1e6);
}
