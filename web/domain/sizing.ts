// A recipe meets a picture: exact crop, target and canvas before anything runs. Fit arithmetic lives here and nowhere
// else in TypeScript. All numbers speak of the upright picture; nothing here ever asks for 0 pixels.
//
// The rules, held to by `tests/fixtures/sizing.json`, which the core's command line obeys too:
// - Words and meanings are those of CSS `object-fit`; `pad` is `contain` on a canvas of the box's exact size.
// - With one side given, the other follows in proportion, whatever the fit.
// - Sides round half up, and to at least 1. Crops and pictures on a canvas sit in the middle; an odd pixel that is left
//   over goes to the right and the bottom.
// - Where nothing may grow, `contain` and `pad` keep the picture at its own size, `cover` keeps the box's shape and
//   takes the largest such piece as it is, and `stretch`, which has no shape to keep, limits each side by itself.

import { MAX_TYPED_MEGAPIXELS } from './form.ts';
import { FORMATS, type Format, isWritable, type WritableFormat } from './formats.ts';
import type { Canvas, Picture, Rect, ResizeJob, Rgba, Size } from './job.ts';
import { uprightSize } from './job.ts';
import type { Length, Recipe, SizeWish } from './recipe.ts';

/** The part of the upright picture that is used, the size it is resampled to, and where that is placed. */
export interface Geometry {
  readonly crop: Rect;
  readonly target: Size;
  /** Null where the target is the whole result. */
  readonly canvas: Canvas | null;
}

/** Why the original bytes are the result. */
export type KeptReason =
  /** The wish would enlarge it, and nothing may grow. */
  | 'already-smaller'
  /** It has the size that is wished for. */
  | 'same-size';

/** What will become of one file; known from its header, exact, before anything runs. */
export type Plan =
  | { readonly kind: 'resize'; readonly geometry: Geometry; readonly format: WritableFormat; readonly size: Size }
  | { readonly kind: 'kept'; readonly reason: KeptReason; readonly format: Format; readonly size: Size }
  /** The result would be longer than its format can hold. */
  | { readonly kind: 'too-long'; readonly format: WritableFormat; readonly size: Size; readonly max: number }
  /** It would grow beyond `MAX_TYPED_MEGAPIXELS`: most likely a digit too many. */
  | { readonly kind: 'huge'; readonly format: WritableFormat; readonly size: Size };

/** What the recipe makes of the picture. */
export function planFor(recipe: Recipe, picture: Picture): Plan {
  const upright = uprightSize(picture);
  const geometry = geometryFor(recipe.size, upright, recipe.enlarge, recipe.border);
  const size = geometry.canvas?.size ?? geometry.target;
  if (keepsBytes(recipe, picture, geometry)) {
    return { kind: 'kept', reason: keptReason(recipe, upright), format: picture.format, size };
  }
  const format = outputFormat(recipe, picture);
  const max = FORMATS[format].maxSide;
  if (size.width > max || size.height > max) return { kind: 'too-long', format, size, max };
  if (isHuge(size) && area(size) > area(upright)) return { kind: 'huge', format, size };
  return { kind: 'resize', geometry, format, size };
}

/** Megapixels of a size, rounded. */
export function megapixelsOf(size: Size): number {
  return Math.round(area(size) / 1e6);
}

function isHuge(size: Size): boolean {
  return megapixelsOf(size) > MAX_TYPED_MEGAPIXELS;
}

function area({ width, height }: Size): number {
  return width * height;
}

/** The core's job for a plan. `memory` is what the job may hold at once, in bytes: see `memory.ts`. */
export function jobFor(recipe: Recipe, plan: Plan & { kind: 'resize' }, memory: number): ResizeJob {
  const quality = recipe.quality === 'auto' ? null : recipe.quality;
  const { kernel, light, background } = recipe;
  return {
    parts: [{ frame: 0, ...plan.geometry }],
    kernel,
    light,
    output: { format: plan.format, quality, background },
    memory,
  };
}

/** The format of the result. What we can read but not write becomes PNG, which loses nothing. */
function outputFormat(recipe: Recipe, picture: Picture): WritableFormat {
  if (recipe.format !== 'same') return recipe.format;
  return isWritable(picture.format) ? picture.format : 'png';
}

/** Whether the original file is the result: encoding the same pixels again could only lose some of them. */
function keepsBytes(recipe: Recipe, picture: Picture, geometry: Geometry): boolean {
  if (recipe.format !== 'same' && recipe.format !== picture.format) return false;
  // A typed quality asks for another encoding of the same pixels.
  if (recipe.quality !== 'auto' && !FORMATS[picture.format].lossless) return false;
  return isWhole(geometry, uprightSize(picture));
}

function keptReason(recipe: Recipe, upright: Size): KeptReason {
  const wished = geometryFor(recipe.size, upright, true, recipe.border);
  return isWhole(wished, upright) ? 'same-size' : 'already-smaller';
}

/** Whether the result is the picture itself, pixel by pixel. */
function isWhole({ crop, target, canvas }: Geometry, upright: Size): boolean {
  return canvas === null && isSame(crop, upright) && isSame(target, upright);
}

/** Crop, target and canvas for a picture of this upright size; `border` is the canvas' colour. */
export function geometryFor(wish: SizeWish, upright: Size, enlarge: boolean, border: Rgba): Geometry {
  switch (wish.by) {
    case 'percent':
      return whole(upright, enlarge || wish.percent <= 100 ? scaled(upright, wish.percent) : upright);
    case 'longest': {
      const isWide = upright.width >= upright.height;
      return whole(upright, contain(upright, isWide ? wish.side : null, isWide ? null : wish.side, enlarge));
    }
    case 'box':
      return fitBox(wish, upright, enlarge, border);
  }
}

function fitBox(wish: SizeWish & { by: 'box' }, upright: Size, enlarge: boolean, border: Rgba): Geometry {
  const width = pixels(wish.width, upright.width);
  const height = pixels(wish.height, upright.height);
  if (width === null || height === null || wish.fit === 'contain') {
    return whole(upright, contain(upright, width, height, enlarge));
  }
  const box: Size = { width, height };
  switch (wish.fit) {
    case 'stretch':
      return whole(upright, enlarge ? box : smaller(box, upright));
    case 'cover':
      return cover(upright, box, enlarge);
    case 'pad':
      return pad(upright, box, contain(upright, width, height, enlarge), border);
  }
}

/** The shape at the size that meets one of the given sides and exceeds none; at its own size should it grow and not be allowed to. */
function contain(shape: Size, width: number | null, height: number | null, enlarge: boolean): Size {
  const byWidth = width === null ? null : { width, height: proportion(shape.height, width, shape.width) };
  const byHeight = height === null ? null : { width: proportion(shape.width, height, shape.height), height };
  // width / own width ≤ height / own height, without dividing: exact, where rounded sides could tie.
  const isWidthTighter = width !== null && (height === null || width * shape.height <= height * shape.width);
  const size = (isWidthTighter ? byWidth : byHeight) ?? shape;
  return enlarge || isWithin(size, shape) ? size : shape;
}

/** The largest central piece of the box's shape, resampled to the box. */
function cover(upright: Size, box: Size, enlarge: boolean): Geometry {
  // The box itself, grown or shrunk until it just fits into the picture.
  const piece = contain(box, upright.width, upright.height, true);
  const crop = { ...centred(piece, upright), ...piece };
  return { crop, target: enlarge || isWithin(box, piece) ? box : piece, canvas: null };
}

function pad(upright: Size, box: Size, target: Size, color: Rgba): Geometry {
  const canvas = isSame(target, box) ? null : { size: box, ...centred(target, box), color };
  return { ...whole(upright, target), canvas };
}

function whole(upright: Size, target: Size): Geometry {
  return { crop: { x: 0, y: 0, ...upright }, target, canvas: null };
}

function centred(inner: Size, outer: Size): { x: number; y: number } {
  return { x: Math.floor((outer.width - inner.width) / 2), y: Math.floor((outer.height - inner.height) / 2) };
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}

function isWithin(inner: Size, outer: Size): boolean {
  return inner.width <= outer.width && inner.height <= outer.height;
}

function smaller(one: Size, other: Size): Size {
  return { width: Math.min(one.width, other.width), height: Math.min(one.height, other.height) };
}

function pixels(length: Length | null, own: number): number | null {
  if (length === null) return null;
  return length.unit === 'px' ? length.value : percentOf(own, length.value);
}

function scaled({ width, height }: Size, percent: number): Size {
  return { width: percentOf(width, percent), height: percentOf(height, percent) };
}

function percentOf(side: number, percent: number): number {
  return Math.max(1, Math.floor((side * percent) / 100 + 0.5));
}

/** side × numerator / denominator, half up, at least 1. In whole numbers below 2^53 up to the last division: exact. */
function proportion(side: number, numerator: number, denominator: number): number {
  return Math.max(1, Math.floor((2 * side * numerator + denominator) / (2 * denominator)));
}
