// The crop of one image alone, and where it lies after a turn.

import type { Rect } from './job.ts';
import type { Picture, Size } from './picture.ts';
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
 * Returns the crop with another value of one field, or null if the text is no whole number in its range. If the crop
 * would leave the image, a side moves the corner, and a corner shortens the side. If the shape (width / height) is locked, the
 * other side follows, and a corner stops where the crop still fits.
 */
export function withCropField(
  crop: Rect,
  field: CropField,
  text: string,
  image: Size,
  shape: number | null = null,
): Rect | null {
  const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  const { min, max } = cropRange(field, image);
  if (!(value >= min && value <= max)) return null;
  const changed: Record<CropField, number> = { ...crop };
  changed[field] = value;
  if (shape !== null) return withShape(changed, field, image, shape);
  const { x, y, width, height } = changed;
  if (field === 'x' || field === 'y') {
    return { x, y, width: Math.min(width, image.width - x), height: Math.min(height, image.height - y) };
  }
  return { x: Math.min(x, image.width - width), y: Math.min(y, image.height - height), width, height };
}

function withShape(crop: Rect, field: CropField, image: Size, shape: number): Rect {
  if (field === 'x' || field === 'y') return movedCrop(crop, { x: 0, y: 0 }, image);
  const wished = field === 'width' ? crop.width : Math.round(crop.height * shape);
  const width = limited(wished, 1, Math.max(1, Math.min(image.width, Math.round(image.height * shape))));
  const height = limited(
    field === 'height' && wished === width ? crop.height : Math.round(width / shape),
    1,
    image.height,
  );
  return movedCrop({ x: crop.x, y: crop.y, width, height }, { x: 0, y: 0 }, image);
}

/** Returns the crop, or null if it is the whole image. */
export function unlessWhole(crop: Rect, image: Size): Rect | null {
  return crop.width === image.width && crop.height === image.height ? null : crop;
}

/** The part of a frame that is dragged: -1 is the left or the top edge, 1 the right or the bottom one, 0 neither of both. */
export interface Handle {
  readonly x: -1 | 0 | 1;
  readonly y: -1 | 0 | 1;
}

/** The handle of the whole frame. */
export const MOVE: Handle = { x: 0, y: 0 };

/** The handles of the corners and edges. */
export const HANDLES: readonly Handle[] = ([-1, 0, 1] as const)
  .flatMap((y) => ([-1, 0, 1] as const).map((x) => ({ x, y })))
  .filter(({ x, y }) => x !== 0 || y !== 0);

/** A way in pixels of the image. */
interface Way {
  readonly x: number;
  readonly y: number;
}

/** Returns the crop after a handle was dragged: inside the image, of whole pixels, with the shape (width / height) if it is locked. */
export function draggedCrop(crop: Rect, handle: Handle, way: Way, image: Size, shape: number | null = null): Rect {
  if (handle.x === 0 && handle.y === 0) return movedCrop(crop, way, image);
  if (shape !== null) return shapedDrag(crop, handle, way, image, shape);
  const [x, width] = draggedSide(crop.x, crop.width, handle.x, way.x, image.width);
  const [y, height] = draggedSide(crop.y, crop.height, handle.y, way.y, image.height);
  return { x, y, width, height };
}

/** Returns the crop at another place in the image. */
export function movedCrop(crop: Rect, way: Way, image: Size): Rect {
  const x = limited(Math.round(crop.x + way.x), 0, image.width - crop.width);
  const y = limited(Math.round(crop.y + way.y), 0, image.height - crop.height);
  return { ...crop, x, y };
}

/** Returns the largest crop of a shape inside another crop, in its middle. */
export function shapedCrop(crop: Rect, shape: number): Rect {
  const width = Math.max(1, Math.min(crop.width, Math.round(crop.height * shape)));
  const height = Math.max(1, Math.min(crop.height, Math.round(width / shape)));
  return {
    x: crop.x + Math.floor((crop.width - width) / 2),
    y: crop.y + Math.floor((crop.height - height) / 2),
    width,
    height,
  };
}

/** Returns the place and the length of a side after one of its ends was dragged; the other one stays. */
function draggedSide(start: number, length: number, end: -1 | 0 | 1, way: number, max: number): [number, number] {
  if (end === 0) return [start, length];
  if (end > 0) return [start, limited(Math.round(length + way), 1, max - start)];
  const moved = limited(Math.round(start + way), 0, start + length - 1);
  return [moved, start + length - moved];
}

/** Returns the crop of a shape after a handle was dragged. The other side follows: from the opposite corner, or from its middle. */
function shapedDrag(crop: Rect, handle: Handle, way: Way, image: Size, shape: number): Rect {
  const byX = crop.width + handle.x * way.x;
  const byY = (crop.height + handle.y * way.y) * shape;
  const wished = handle.x === 0 ? byY : handle.y === 0 ? byX : Math.max(byX, byY);
  const roomX = room(crop.x, crop.width, handle.x, image.width);
  const roomY = room(crop.y, crop.height, handle.y, image.height);
  const width = limited(Math.round(wished), 1, Math.max(1, Math.min(roomX, Math.round(roomY * shape))));
  const height = limited(Math.round(width / shape), 1, roomY);
  const x = placedSide(crop.x, crop.width, width, handle.x, image.width);
  const y = placedSide(crop.y, crop.height, height, handle.y, image.height);
  return { x, y, width, height };
}

/** Returns the longest side from the end that stays to the edge of the image; all of the image if no end is dragged. */
function room(start: number, length: number, end: -1 | 0 | 1, max: number): number {
  return end === 0 ? max : end > 0 ? max - start : start + length;
}

/** Returns the start of a side with another length: its other end stays, or its middle as far as there is room. */
function placedSide(start: number, length: number, next: number, end: -1 | 0 | 1, max: number): number {
  if (end > 0) return start;
  if (end < 0) return start + length - next;
  return limited(start + Math.floor((length - next) / 2), 0, max - next);
}

function limited(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** Whether one crop can apply to all frames of a file: they have one size. */
export function isCroppable({ frameSizes }: Pick<Picture, 'frameSizes'>): boolean {
  const [first] = frameSizes;
  return frameSizes.every(({ width, height }) => width === first?.width && height === first.height);
}
