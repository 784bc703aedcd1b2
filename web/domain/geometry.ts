// The geometry of one image: exact crop, target and canvas for a size rule. No other TypeScript module computes fits.
// All numbers refer to the upright image; no side is ever 0.
//
// The rules, which the core's command line shares (tested by `tests/fixtures/sizing.json`):
// - Words and meanings are those of CSS `object-fit`; `pad` is `contain` on a canvas of the box's exact size.
// - If one side is given, the other follows in proportion, with any fit.
// - Sides are rounded half up, and to at least 1. Images on a canvas are centred, and crops too unless the rule names a
//   focus; an odd pixel goes to the right or the bottom.
// - Without enlarging, `contain` and `pad` keep the image at its own size; `cover` takes the largest crop of the box's
// shape
//   without scaling; `stretch`, which does not keep the shape, limits each side separately.

import { focusPercent } from './focus.ts';
import type { Canvas, Rect, Rgba } from './job.ts';
import type { Size } from './picture.ts';
import type { BoxRule, Length, SizeRule } from './recipe.ts';
import type { Focus } from './settings.ts';

/** The used area of the upright image, the size that it is resampled to, and its position on a canvas. */
export interface Geometry {
  readonly crop: Rect;
  readonly target: Size;
  /** Null if the target is the whole result. */
  readonly canvas: Canvas | null;
}

/** The size of the written image. */
export function resultSize({ target, canvas }: Geometry): Size {
  return canvas?.size ?? target;
}

/** Whether the result has exactly the pixels of the upright image. */
export function isUnchanged({ crop, target, canvas }: Geometry, upright: Size): boolean {
  return canvas === null && isSame(crop, upright) && isSame(target, upright);
}

/** Returns the geometry of an image of this upright size; `border` is the colour of the canvas. */
export function geometryFor(rule: SizeRule, upright: Size, enlarge: boolean, border: Rgba): Geometry {
  switch (rule.by) {
    case 'percent':
      return whole(upright, enlarge || rule.percent <= 100 ? scaled(upright, rule.percent) : upright);
    case 'longest': {
      const isWide = upright.width >= upright.height;
      return whole(upright, contain(upright, isWide ? rule.side : null, isWide ? null : rule.side, enlarge));
    }
    case 'shortest': {
      const isWide = upright.width >= upright.height;
      return whole(upright, contain(upright, isWide ? null : rule.side, isWide ? rule.side : null, enlarge));
    }
    case 'megapixels':
      return whole(upright, contain(upright, widthForArea(upright, rule.megapixels * 1e6), null, enlarge));
    case 'widths':
      return whole(upright, contain(upright, rule.widths[0], null, enlarge));
    case 'app-icons':
      return whole(upright, upright);
    case 'box':
      return fitBox(rule, upright, enlarge, border);
  }
}

function fitBox(rule: BoxRule, upright: Size, enlarge: boolean, border: Rgba): Geometry {
  const width = pixels(rule.width, upright.width);
  const height = pixels(rule.height, upright.height);
  if (width === null || height === null || rule.fit === 'contain') {
    return whole(upright, contain(upright, width, height, enlarge));
  }
  const box: Size = { width, height };
  switch (rule.fit) {
    case 'stretch':
      return whole(upright, enlarge ? box : smaller(box, upright));
    case 'cover':
      return cover(upright, box, enlarge, rule.focus);
    case 'pad':
      return pad(upright, box, contain(upright, width, height, enlarge), border);
  }
}

/**
 * Scales the shape until it meets one of the given sides and exceeds none; keeps it if it would grow without `enlarge`.
 */
function contain(shape: Size, width: number | null, height: number | null, enlarge: boolean): Size {
  const byWidth = width === null ? null : { width, height: proportion(shape.height, width, shape.width) };
  const byHeight = height === null ? null : { width: proportion(shape.width, height, shape.height), height };
  // Compares width / shape.width with height / shape.height by multiplication, which is exact; rounded sides could be
  // equal.
  const isWidthTighter = width !== null && (height === null || width * shape.height <= height * shape.width);
  const size = (isWidthTighter ? byWidth : byHeight) ?? shape;
  return enlarge || isWithin(size, shape) ? size : shape;
}

/** Returns the largest crop of the box's shape at the focus, resampled to the box. */
function cover(upright: Size, box: Size, enlarge: boolean, focus: Focus = 'center'): Geometry {
  // The box, scaled to the largest size that fits into the image.
  const area = contain(box, upright.width, upright.height, true);
  const crop = { ...placed(focus, area, upright), ...area };
  return { crop, target: enlarge || isWithin(box, area) ? box : area, canvas: null };
}

/** Returns the largest width at which an image of this shape has at most this area, at least 1. */
function widthForArea({ width, height }: Size, area: number): number {
  // The width at which the area is reached if rounding takes half a row from the height, the most that it takes.
  const slope = height / width;
  let side = Math.ceil((0.5 + Math.sqrt(0.25 + 4 * slope * area)) / (2 * slope));
  while (side > 1 && side * proportion(height, side, width) > area) side -= 1;
  return side;
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

/** Returns the position of a crop: the focus says which part of the room lies left of it and above it. */
function placed(focus: Focus, inner: Size, outer: Size): { x: number; y: number } {
  const [x, y] = focusPercent(focus);
  // Whole tenths of a percent: their products are exact.
  const part = (room: number, percent: number) => Math.floor((room * Math.round(percent * 10)) / 1000);
  return { x: part(outer.width - inner.width, x), y: part(outer.height - inner.height, y) };
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

/** Returns side × numerator / denominator, rounded half up, at least 1. Integers below 2^53 keep it exact. */
function proportion(side: number, numerator: number, denominator: number): number {
  return Math.max(1, Math.floor((2 * side * numerator + denominator) / (2 * denominator)));
}
