// The plan for one file: the exact result of a recipe, computed from the image's header before any job runs.

import { APP_ICONS, type AppIcon } from './app-icons.ts';
import { inverseTurn, turnedRect } from './crops.ts';
import { MAX_TYPED_MEGAPIXELS } from './form.ts';
import { FALLBACK_FORMAT, FORMATS, type Format, heldByResults, isWritable, type WritableFormat } from './formats.ts';
import { type Geometry, geometryFor, resultSize } from './geometry.ts';
import { entriesOf, entryFor, sidesFor } from './icons.ts';
import type { MetadataPolicy, Part, Rect, Rgba } from './job.ts';
import { type KeptReason, keepsPixels, keptReason, mayYield, mustRewriteMetadata, usesFirstOnly } from './keep.ts';
import { areaOf, everyFrame, frameSize, megapixelsOf, type Picture, type Size, uprightSize } from './picture.ts';
import type { Recipe, SizeRule } from './recipe.ts';
import { NO_TURN, type Turn, turnedSize, turnThen } from './turns.ts';

export interface ResizePlan {
  readonly kind: 'resize';
  /** The output files, each with its images: one file, unless the format cannot hold all pages. */
  readonly files: readonly (readonly Part[])[];
  readonly format: WritableFormat;
  /** The formats and names of the files, if each has its own, and which of them have no transparent areas. `format` is then that of the most demanding one. */
  readonly each?: readonly Pick<AppIcon, 'format' | 'name' | 'isOpaque'>[];
  /** The size of the first image; for icons, of the largest image. */
  readonly size: Size;
  /** The largest size of each file in bytes, which the quality must reach; not given for any size. */
  readonly maxBytes?: number;
  /** The original, if it is used instead of a result that is not smaller. */
  readonly original?: KeptPlan;
  /** The changes of a copy without loss, which is made instead if the file allows it: it is only turned. */
  readonly turnedCopy?: TurnedCopy;
}

/** The changes of a copy whose pixels are not encoded again. */
export interface CopyChanges {
  readonly policy: MetadataPolicy;
  /** The density that the copy states, in pixels per inch; that of the original if it is not given. */
  readonly density?: number;
  /** The turn of the upright image; none if it is not given. */
  readonly turn?: Turn;
}

export type TurnedCopy = CopyChanges & { readonly turn: Turn };

/** The plan for a result with the original's pixels. */
export interface KeptPlan {
  readonly kind: 'kept';
  readonly reason: KeptReason;
  readonly format: Format;
  readonly size: Size;
  /** The policy for which the metadata must be rewritten; null if the original bytes are the result. */
  readonly rewriteMetadata: MetadataPolicy | null;
  /** The density that the file must state, in pixels per inch; its own if it is not given. */
  readonly density?: number;
  /** What is made instead if the file does not allow that its metadata are rewritten. */
  readonly otherwise?: ResizePlan;
}

/** The refusal of a result that is longer than its format allows. */
export interface TooLongPlan {
  readonly kind: 'too-long';
  readonly format: WritableFormat;
  readonly size: Size;
  readonly max: number;
}

/** The refusal of an image that would grow beyond `MAX_TYPED_MEGAPIXELS`: most likely a typing mistake. */
export interface HugePlan {
  readonly kind: 'huge';
  readonly format: WritableFormat;
  readonly size: Size;
}

export type Plan = ResizePlan | KeptPlan | TooLongPlan | HugePlan;

/**
 * Plans the results of one file of `bytes` bytes. Drawings may always be enlarged, because they are drawn anew. A file
 * above the limit is not kept if a lower quality can make it smaller.
 */
export function planFor(chosen: Recipe, picture: Picture, bytes = 0): Plan {
  if (chosen.size.by === 'widths') return planWidths(chosen, chosen.size.widths, picture, bytes);
  if (chosen.size.by === 'app-icons') return planAppIcons(chosen, picture);
  const recipe = FORMATS[picture.format].isDrawing ? { ...chosen, enlarge: true } : chosen;
  if (keepsPixels(recipe, picture) && isWithinLimit(recipe, picture, bytes)) {
    const kept = keptPlan(recipe, picture, keptReason(recipe, picture));
    if (kept !== null) return mayBeRefused(kept) ? withOtherwise(kept, planResults(recipe, picture, bytes)) : kept;
  }
  return planResults(recipe, picture, bytes);
}

/** Plans results whose pixels are encoded. */
function planResults(recipe: Recipe, picture: Picture, bytes: number): Plan {
  const turned = turnedPicture(picture, recipe.turn);
  const format = formatFor(recipe, turned);
  const plan =
    FORMATS[format].holds === 'sizes' ? planIcons(recipe, turned, format) : planImages(recipe, turned, format);
  const original = mayYield(recipe, picture) ? keptPlan(recipe, picture, 'smaller-original') : null;
  if (plan.kind !== 'resize') return plan;
  const limit = limitFor(recipe, format);
  return {
    ...plan,
    ...(limit === null ? {} : { maxBytes: limit }),
    ...(original === null ? {} : { original }),
    ...(isOnlyTurned(recipe, turned) && isWithinLimit(recipe, picture, bytes)
      ? { turnedCopy: turnedCopy(recipe) }
      : {}),
  };
}

/** Whether nothing but a turn changes the image, in a format that can be turned without loss. */
function isOnlyTurned(recipe: Recipe, turned: Picture): boolean {
  const canTurn = FORMATS[turned.format].turnsWithoutLoss === true && recipe.turn !== NO_TURN;
  return canTurn && keepsPixels({ ...recipe, turn: NO_TURN }, turned);
}

function turnedCopy({ metadata, density, turn }: Recipe): TurnedCopy {
  return { policy: metadata, turn, ...(density === null ? {} : { density }) };
}

/** Returns the description of a file whose images are turned. */
function turnedPicture(picture: Picture, turn: Turn): Picture {
  const frameSizes = picture.frameSizes.map((size) => turnedSize(size, turn));
  return { ...picture, orientation: turnThen(picture.orientation, turn), frameSizes };
}

/** Returns the parts' common turn, if there is one. */
function turnOf({ turn }: Recipe): Pick<Part, 'turn'> {
  return turn === NO_TURN ? {} : { turn };
}

/** Whether the original is within the limit for files of its format. */
function isWithinLimit(recipe: Recipe, { format }: Picture, bytes: number): boolean {
  return bytes <= (limitFor(recipe, format) ?? bytes);
}

/** Returns the limit for files of a format; null if the format has no quality that could reach it. */
function limitFor({ maxBytes, lossless }: Recipe, format: Format): number | null {
  const options = FORMATS[format].encoder?.options ?? [];
  const isLossless = options.some((option) => option === 'lossless') && lossless === 'yes';
  return options.some((option) => option === 'quality') && !isLossless ? maxBytes : null;
}

/**
 * Plans the results of several widths, the widest first. A width that the image does not have makes no result, unless
 * no other does.
 */
function planWidths(recipe: Recipe, widths: readonly [number, ...number[]], picture: Picture, bytes: number): Plan {
  const planOf = (value: number) =>
    planFor(
      { ...recipe, size: { by: 'box', width: { unit: 'px', value }, height: null, fit: 'contain' } },
      picture,
      bytes,
    );
  const plans = widths.map(planOf);
  const refused = plans.find(({ kind }) => kind === 'too-long' || kind === 'huge');
  if (refused !== undefined) return refused;
  const bySize = new Map(
    plans.flatMap((plan) => (plan.kind === 'resize' ? [[`${plan.size.width}x${plan.size.height}`, plan]] : [])),
  );
  const [widest, ...others] = bySize.values();
  if (widest === undefined) return planOf(widths[0]);
  const { original, turnedCopy: _, ...plan } = widest;
  return { ...plan, files: [widest, ...others].flatMap(({ files }) => files) };
}

/** Returns the plan that keeps the original; null if its metadata must be rewritten and its format cannot be. */
function keptPlan(recipe: Recipe, picture: Picture, reason: KeptReason): KeptPlan | null {
  const rewrite = mustRewriteMetadata(picture, recipe.metadata);
  const { rewritesMetadata, holdsDensity } = FORMATS[picture.format];
  const density = holdsDensity ? recipe.density : null;
  if ((rewrite || density !== null) && rewritesMetadata === false) return null;
  const size = resultSize(geometryOf(recipe, uprightSize(picture)));
  const rewriteMetadata = rewrite ? recipe.metadata : null;
  return {
    kind: 'kept',
    reason,
    format: picture.format,
    size,
    rewriteMetadata,
    ...(density === null ? {} : { density }),
  };
}

/** Whether the metadata of some files cannot be rewritten as planned. */
function mayBeRefused({ format, rewriteMetadata }: KeptPlan): boolean {
  return rewriteMetadata !== null && FORMATS[format].rewritesMetadata !== true;
}

/** Returns the plan with its alternative, whose result counts whatever its size. */
function withOtherwise(kept: KeptPlan, plan: Plan): KeptPlan {
  if (plan.kind !== 'resize') return kept;
  const { original: _, ...otherwise } = plan;
  return { ...kept, otherwise };
}

/**
 * Returns the upright size of the frame from which the plan's first result is made; for icons, of the largest image's
 * frame.
 */
export function sourceSize(picture: Picture, plan: Plan | null): Size {
  if (plan?.kind !== 'resize') return frameSize(picture, 0);
  const part = plan.files[0]?.at(FORMATS[plan.format].holds === 'sizes' ? -1 : 0);
  return frameSize(picture, part?.frame ?? 0);
}

/** Returns the format of the results of one file. A drawing that is cropped, turned or gets a border is drawn. */
function formatFor(recipe: Recipe, picture: Picture): WritableFormat {
  const format = outputFormat(recipe, picture);
  if (!FORMATS[format].isDrawing) return format;
  const upright = uprightSize(picture);
  const { crop, canvas } = geometryOf(recipe, upright);
  const isWhole = canvas === null && areaOf(crop) === areaOf(upright) && recipe.turn === NO_TURN;
  return isWhole ? format : FALLBACK_FORMAT;
}

/**
 * Returns the format of the result, unless the size forbids it. Of formats that cannot be written, opaque photographs of 8
 * bits become JPEG, and everything else becomes PNG.
 */
export function outputFormat({ format }: Pick<Recipe, 'format'>, source: SourceFacts): WritableFormat {
  if (format !== 'same') return format;
  if (isWritable(source.format) && holdsSource(source.format, source)) return source.format;
  const fitsJpeg = !source.alpha && source.depth === 8 && source.frames === 1;
  return FORMATS[source.format].holdsPhotos && fitsJpeg ? 'jpeg' : FALLBACK_FORMAT;
}

/** Whether the format, in which the source is, can be written with as many frames and as many bits. */
function holdsSource(format: WritableFormat, { frames, depth }: SourceFacts): boolean {
  const { encoder } = FORMATS[format];
  return (frames === 1 || encoder.holds === undefined) && depth <= (encoder.depth ?? depth);
}

type SourceFacts = Pick<Picture, 'format' | 'alpha' | 'depth' | 'frames'>;

/** Returns the formats that results of a format can have. */
export function outputFormats({ format }: Pick<Recipe, 'format'>, source: Format): readonly WritableFormat[] {
  if (format !== 'same') return [format];
  if (isWritable(source)) {
    return FORMATS[source].encoder.holds === undefined ? [source] : [source, FALLBACK_FORMAT];
  }
  return FORMATS[source].holdsPhotos ? ['jpeg', FALLBACK_FORMAT] : [FALLBACK_FORMAT];
}

function planImages(recipe: Recipe, picture: Picture, format: WritableFormat): Plan {
  const parts = framesFor(recipe, picture, format).map((frame) => ({
    frame,
    ...geometryOf(recipe, frameSize(picture, frame)),
    ...turnOf(recipe),
  }));
  const max = FORMATS[format].maxSide;
  for (const part of parts) {
    const size = resultSize(part);
    if (size.width > max || size.height > max) return { kind: 'too-long', format, size, max };
    if (megapixelsOf(size) > MAX_TYPED_MEGAPIXELS && areaOf(size) > areaOf(part.crop)) {
      return { kind: 'huge', format, size };
    }
  }
  const [first] = parts;
  const size = first === undefined ? uprightSize(picture) : resultSize(first);
  const files = holdsAll(format, picture) ? [parts] : parts.map((part) => [part]);
  return { kind: 'resize', files, format, size };
}

/** Returns the numbers of the requested source frames, counted from 0. */
function framesFor(recipe: Recipe, picture: Picture, format: WritableFormat): readonly number[] {
  if (picture.sequence === 'sizes') return entriesOf(picture, recipe.entries);
  const isWhole = picture.sequence === 'pages' || holdsAll(format, picture);
  return isWhole && !usesFirstOnly(recipe, picture) ? everyFrame(picture) : [0];
}

/** Whether one file of the format holds all frames of a source like this one. */
function holdsAll(format: WritableFormat, { sequence }: Picture): boolean {
  return heldByResults(format) === sequence;
}

const TRANSPARENT: Rgba = [0, 0, 0, 0];

/** Plans icons: one image for each side, on transparent squares. For a whole icon, each side uses its best entry. */
function planIcons(recipe: Recipe, picture: Picture, format: WritableFormat): ResizePlan {
  const isWhole = picture.sequence === 'sizes' && recipe.entries === 'largest';
  const frames = framesFor(recipe, picture, format);
  const sidesOf = (frame: number) =>
    sidesFor(recipe, croppedArea(recipe, frameSize(picture, frame)), FORMATS[format].maxSide);
  const files = frames.map((own) =>
    sidesOf(own).map((side): Part => {
      const frame = isWhole ? entryFor(picture, side) : own;
      return { frame, ...onSquare(recipe, frameSize(picture, frame), side), ...turnOf(recipe) };
    }),
  );
  const largest = Math.max(...sidesOf(frames[0] ?? 0));
  return { kind: 'resize', files, format, size: { width: largest, height: largest } };
}

/** Returns the geometry of an image on a transparent square of this side. */
function onSquare(recipe: Recipe, size: Size, side: number): Geometry {
  const length = { unit: 'px', value: side } as const;
  const square: SizeRule = { by: 'box', width: length, height: length, fit: 'pad' };
  return geometryOf({ ...recipe, size: square, border: TRANSPARENT }, size);
}

/** Plans the icons of a web app from the first image of a file. They have their sizes even if the image is smaller. */
function planAppIcons(recipe: Recipe, picture: Picture): ResizePlan {
  const turned = turnedPicture(picture, recipe.turn);
  const partOf = ({ padding, format, isOpaque }: AppIcon, side: number): Part => {
    const frame = FORMATS[format].holds === 'sizes' ? entryFor(turned, side) : 0;
    const { canvas, ...geometry } = onSquare(
      { ...recipe, enlarge: true },
      frameSize(turned, frame),
      side - 2 * padding,
    );
    const background: Rgba = isOpaque ? [...recipe.background, 255] : TRANSPARENT;
    const inner = canvas ?? { x: 0, y: 0 };
    const isWhole = canvas === null && padding === 0;
    const placed = { size: square(side), x: inner.x + padding, y: inner.y + padding, color: background };
    return { frame, ...geometry, canvas: isWhole ? null : placed, ...turnOf(recipe) };
  };
  const files = APP_ICONS.map((icon) => icon.sides.map((side) => partOf(icon, side)));
  const largest = Math.max(...APP_ICONS.flatMap(({ sides }) => sides));
  return { kind: 'resize', files, format: FALLBACK_FORMAT, size: square(largest), each: APP_ICONS };
}

function square(side: number): Size {
  return { width: side, height: side };
}

/** Returns the geometry of a turned image: that of its crop, whose corner is the origin of the rule's own crop. */
function geometryOf(recipe: Recipe, upright: Size): Geometry {
  const area = croppedArea(recipe, upright);
  const size = { width: area.width, height: area.height };
  const geometry = geometryFor(recipe.size, size, recipe.enlarge, recipe.border);
  const { crop } = geometry;
  return { ...geometry, crop: { ...crop, x: area.x + crop.x, y: area.y + crop.y } };
}

/** Returns the used area of a turned image: its crop, or all of it. */
function croppedArea({ crop, turn }: Recipe, upright: Size): Rect {
  if (crop === undefined) return { x: 0, y: 0, ...upright };
  return turnedRect(crop, turnedSize(upright, inverseTurn(turn)), turn);
}
