// The crop of one image alone, and where it lies after a turn.

import type { Rect } from './job.ts';
import type { Size } from './picture.ts';
import { mirrors, NO_TURN, swapsSides, TURNS, type Turn, turnedSize, turnThen } from './turns.ts';

/** Returns the turn that undoes another. */
export function inverseTurn(turn: number): Turn {
  return TURNS.find((other) => turnThen(turn, other) === NO_TURN) ?? NO_TURN;
}

/** Returns an area of an image of this size where it lies after the turn. */
export function turnedRect({ x, y, width, height }: Rect, image: Size, turn: number): Rect {
  const area = swapsSides(turn) ? { x: y, y: x, width: height, height: width } : { x, y, width, height };
  const size = turnedSize(image, turn);
  const [mirrorsX, mirrorsY] = mirrors(turn);
  return {
    ...area,
    x: mirrorsX ? size.width - area.x - area.width : area.x,
    y: mirrorsY ? size.height - area.y - area.height : area.y,
  };
}

/** The fields of a crop, in the order of the form. */
export const CROP_FIELDS = ['x', 'y', 'width', 'height'] as const;
export type CropField = (typeof CROP_FIELDS)[number];

/** Returns the least and the largest value of a field: the corner lies in the image, and a side is at most that of the image. */
export function cropRange(field: CropField, image: Size): { readonly min: number; readonly max: number } {
  const max = field === 'x' || field === 'width' ? image.width : image.height;
  return field === 'x' || field === 'y' ? { min: 0, max: max - 1 } : { min: 1, max };
}

/**
 * Returns the crop with another value of one field, or null if the text is no whole number in its range. A side moves the
 * corner, and a corner shortens the side, if the crop would leave the image.
 */
export function withCropField(crop: Rect, field: CropField, text: string, image: Size): Rect | null {
  const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  const { min, max } = cropRange(field, image);
  if (!(value >= min && value <= max)) return null;
  const changed: Record<CropField, number> = { ...crop };
  changed[field] = value;
  const { x, y, width, height } = changed;
  if (field === 'x' || field === 'y') {
    return { x, y, width: Math.min(width, image.width - x), height: Math.min(height, image.height - y) };
  }
  return { x: Math.min(x, image.width - width), y: Math.min(y, image.height - height), width, height };
}

/** Returns the crop, or null if it is the whole image. */
export function unlessWhole(crop: Rect, image: Size): Rect | null {
  return crop.width === image.width && crop.height === image.height ? null : crop;
}
