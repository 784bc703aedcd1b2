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
import { entriesOf, entryFor, holdsJust, sidesOf } from './icons.ts';
import type { Canvas, MetadataPolicy, Part, Picture, Rect, ResizeJob, Rgba, Size } from './job.ts';
import { frameSize, uprightSize } from './job.ts';
import { type Length, type Recipe, type SizeWish, USUAL_COMPRESSION } from './recipe.ts';

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
  | {
      readonly kind: 'resize';
      /** The files that come out, each with its pictures: one, unless a format cannot hold all pages. */
      readonly files: readonly (readonly Part[])[];
      readonly format: WritableFormat;
      /** Of the first picture; of icons, the largest. */
      readonly size: Size;
    }
  | {
      readonly kind: 'kept';
      readonly reason: KeptReason;
      readonly format: Format;
      readonly size: Size;
      /** What has to be removed beside the pixels; null where the very bytes are the result. */
      readonly relabel: MetadataPolicy | null;
    }
  /** The result would be longer than its format can hold. */
  | { readonly kind: 'too-long'; readonly format: WritableFormat; readonly size: Size; readonly max: number }
  /** It would grow beyond `MAX_TYPED_MEGAPIXELS`: most likely a digit too many. */
  | { readonly kind: 'huge'; readonly format: WritableFormat; readonly size: Size };

/** What the recipe makes of the picture. */
export function planFor(recipe: Recipe, picture: Picture): Plan {
  const upright = uprightSize(picture);
  const geometry = geometryFor(recipe.size, upright, recipe.enlarge, recipe.border);
  const size = resultSize(geometry);
  const tells = tellsTooMuch(picture, recipe.metadata);
  if (keepsPixels(recipe, picture, geometry) && (!tells || isRelabelable(picture.format))) {
    const relabel = tells ? recipe.metadata : null;
    return { kind: 'kept', reason: keptReason(recipe, upright), format: picture.format, size, relabel };
  }
  const format = outputFormat(recipe, picture);
  if (format === 'ico') return { kind: 'resize', ...iconsOf(recipe, picture), format };
  const parts = framesOf(recipe, picture, format).map((frame) => ({
    frame,
    ...geometryFor(recipe.size, frameSize(picture, frame), recipe.enlarge, recipe.border),
  }));
  const [first] = parts;
  const max = FORMATS[format].maxSide;
  for (const part of parts) {
    const result = resultSize(part);
    if (result.width > max || result.height > max) return { kind: 'too-long', format, size: result, max };
    if (isHuge(result) && area(result) > area(part.crop)) return { kind: 'huge', format, size: result };
  }
  const files = isTogether(format, picture) ? [parts] : parts.map((part) => [part]);
  return { kind: 'resize', files, format, size: first === undefined ? size : resultSize(first) };
}

/** The size of what the plan's first result is made from, upright; of an icon's pictures, of the largest. */
export function sourceSize(picture: Picture, plan: Plan | null): Size {
  const parts = plan?.kind === 'resize' ? plan.files[0] : undefined;
  const part = plan?.format === 'ico' ? parts?.at(-1) : parts?.[0];
  return frameSize(picture, part?.frame ?? 0);
}

/** The size of the written picture. */
function resultSize({ target, canvas }: Geometry): Size {
  return canvas?.size ?? target;
}

/** The pictures of the file that are wanted, counted from 0. */
function framesOf(recipe: Recipe, picture: Picture, format: WritableFormat): readonly number[] {
  if (picture.sequence === 'sizes') return entriesOf(picture, recipe.entries);
  const isWhole = picture.sequence === 'pages' ? recipe.pages === 'all' : isTogether(format, picture);
  return isWhole ? everyFrame(picture) : [0];
}

function everyFrame({ frames }: Picture): number[] {
  return Array.from({ length: frames }, (_, frame) => frame);
}

/** Whether one file of that format holds all pictures of a file like this one. */
function isTogether(format: WritableFormat, { sequence }: Picture): boolean {
  return (sequence === 'pages' && format === 'tiff') || (sequence === 'animation' && format === 'png');
}

const CLEAR: Rgba = [0, 0, 0, 0];

/** Icons with a picture of each side on clear squares. An icon as a whole gives each side the entry that fits best. */
function iconsOf(recipe: Recipe, picture: Picture): { files: readonly (readonly Part[])[]; size: Size } {
  const isWhole = picture.sequence === 'sizes' && recipe.entries === 'largest';
  const frames = framesOf(recipe, picture, 'ico');
  const files = frames.map((own) =>
    iconSides(recipe, frameSize(picture, own)).map((side): Part => {
      const frame = isWhole ? entryFor(picture, side) : own;
      const size = { unit: 'px', value: side } as const;
      const wish: SizeWish = { by: 'box', width: size, height: size, fit: 'pad' };
      return { frame, ...geometryFor(wish, frameSize(picture, frame), recipe.enlarge, CLEAR) };
    }),
  );
  const largest = Math.max(...iconSides(recipe, frameSize(picture, frames[0] ?? 0)));
  return { files, size: { width: largest, height: largest } };
}

/** The sides of the icon that a picture of this size becomes. */
function iconSides(recipe: Recipe, upright: Size): readonly number[] {
  const wished = resultSize(geometryFor(recipe.size, upright, recipe.enlarge, recipe.border));
  return sidesOf(recipe.iconSizes, upright, wished, recipe.enlarge);
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

/** The core's jobs for a plan, one a file. `memory` is what a job may hold at once, in bytes: see `memory.ts`. */
export function jobsFor(recipe: Recipe, plan: Plan & { kind: 'resize' }, memory: number): ResizeJob[] {
  const { kernel, light, metadata } = recipe;
  const output = outputOf(recipe, plan.format);
  return plan.files.map((parts) => ({ parts: [...parts], kernel, light, output, metadata, memory }));
}

/** What is said of the written file; nothing that its format does not know, so that a change of it changes no other's job. */
function outputOf(recipe: Recipe, format: WritableFormat): ResizeJob['output'] {
  const { background, effort, compression } = recipe;
  const quality = FORMATS[format].lossless || recipe.quality === 'auto' ? null : recipe.quality;
  return {
    format,
    quality,
    background,
    ...(format === 'png' ? { effort } : {}),
    ...(format === 'tiff' ? { compression } : {}),
  };
}

/** The format of the result. What we can read but not write becomes PNG, which loses nothing. */
export function outputFormat({ format }: Pick<Recipe, 'format'>, picture: Pick<Picture, 'format'>): WritableFormat {
  if (format !== 'same') return format;
  return isWritable(picture.format) ? picture.format : 'png';
}

/** Whether the file says more than its result may. */
function tellsTooMuch({ carries }: Picture, policy: MetadataPolicy): boolean {
  switch (policy) {
    case 'keep':
      return false;
    case 'keep-without-location':
      return carries === 'location';
    case 'remove':
      return carries !== 'nothing';
  }
}

/** The formats whose files can be copied with other metadata. Of others that carry any, the pixels are lossless. */
function isRelabelable(format: Format): boolean {
  return format === 'jpeg' || format === 'png';
}

/** Whether the original's pixels are the result: encoding them again could only lose some. */
function keepsPixels(recipe: Recipe, picture: Picture, geometry: Geometry): boolean {
  if (recipe.format !== 'same' && recipe.format !== picture.format) return false;
  // A typed quality asks for another encoding of the same pixels.
  if (recipe.quality !== 'auto' && !FORMATS[picture.format].lossless) return false;
  if (picture.format === 'tiff' && recipe.compression !== USUAL_COMPRESSION) return false;
  // Some of an icon's pictures are another icon.
  if (picture.sequence === 'sizes' && picture.frames > 1 && recipe.entries !== 'largest') return false;
  if (picture.format === 'ico' && recipe.iconSizes.length > 0) {
    return holdsJust(picture, iconSides(recipe, uprightSize(picture)));
  }
  // Of several pages one may be larger than the first.
  if (picture.sequence === 'pages' && picture.frames > 1) {
    if (recipe.pages === 'first') return false;
    return everyFrame(picture).every((frame) => {
      const upright = frameSize(picture, frame);
      return isWhole(geometryFor(recipe.size, upright, recipe.enlarge, recipe.border), upright);
    });
  }
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
