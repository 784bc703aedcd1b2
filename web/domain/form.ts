// The fields as they stand on the screen, and how they become a recipe. A field keeps what was typed, sense or
// nonsense: nothing is lost by a mistake.

import { MAX_SIDE, type WritableFormat } from './formats.ts';
import type { EntryChoice, IconSide } from './icons.ts';
import type { Compression, Effort, Kernel, Light, MetadataPolicy, Rgb, Rgba } from './job.ts';
import { type Fit, type Length, type PageChoice, type Recipe, type SizeWish, USUAL_COMPRESSION } from './recipe.ts';

export type SizeMode = 'sides' | 'percent' | 'longest';

/** What is typed for one mode survives a visit to another. */
export interface RecipeForm {
  readonly mode: SizeMode;
  /** `1920`, `50%`, or both sides at once: `800x600`. */
  readonly width: string;
  readonly height: string;
  readonly percent: string;
  readonly longest: string;
  readonly keepProportions: boolean;
  /** What happens to a picture of another shape once proportions need not be kept. */
  readonly otherShape: Exclude<Fit, 'contain'>;
  readonly dontEnlarge: boolean;
  readonly format: 'same' | WritableFormat;
  readonly pages: PageChoice;
  readonly entries: EntryChoice;
  readonly metadata: MetadataPolicy;
  readonly quality: 'auto' | number;
  /** None stands for the usual ones. */
  readonly iconSizes: readonly IconSide[];
  readonly effort: Effort;
  readonly compression: Compression;
  readonly kernel: Kernel;
  readonly light: Light;
  readonly background: Rgb;
  readonly border: Rgba;
  readonly fileNames: string;
}

/** Height stays empty: filled in, it would silently limit tall pictures when only the width is edited. */
export const DEFAULT_FORM: RecipeForm = {
  mode: 'sides',
  width: '1920',
  height: '',
  percent: '50',
  longest: '1920',
  keepProportions: true,
  otherShape: 'cover',
  dontEnlarge: true,
  format: 'same',
  pages: 'all',
  entries: 'largest',
  metadata: 'keep-without-location',
  quality: 'auto',
  iconSizes: [],
  effort: 'default',
  compression: USUAL_COMPRESSION,
  kernel: 'lanczos3',
  light: 'auto',
  background: [255, 255, 255],
  border: [255, 255, 255, 255],
  fileNames: '{name}-{w}x{h}',
};

export const MAX_PERCENT = 400;
export const MAX_QUALITY = 100;

/** 4 GB of pixels for each picture: whoever types that has most likely typed a digit too many. */
export const MAX_TYPED_MEGAPIXELS = 1000;

export type FieldName = 'width' | 'height' | 'percent' | 'longest' | 'quality';

/** Why a form is no recipe yet. */
export type FieldProblem =
  /** Neither side was typed. */
  | { readonly code: 'size-missing'; readonly field: 'width' }
  /** Not a whole number from 1 to `max`. */
  | { readonly code: 'not-a-whole-number'; readonly field: FieldName; readonly max: number }
  /** Not a percentage from 1 to `max`. */
  | { readonly code: 'not-a-percentage'; readonly field: FieldName; readonly max: number }
  /** More than `MAX_TYPED_MEGAPIXELS`. */
  | {
      readonly code: 'huge';
      readonly field: 'width';
      readonly width: number;
      readonly height: number;
      readonly megapixels: number;
    };

export type FormReading = { readonly recipe: Recipe } | { readonly problems: readonly FieldProblem[] };

/** The recipe that the form asks for, or everything that keeps it from being one: one problem a field at most. */
export function readForm(form: RecipeForm): FormReading {
  const problems: FieldProblem[] = [];
  const size = readSize(form, problems);
  const quality = readQuality(form.quality, problems);
  if (size === null || quality === null) return { problems };
  const { format, pages, entries, metadata, fileNames, background, border } = form;
  const { iconSizes, effort, compression, kernel, light } = form;
  const asChosen = { format, pages, entries, metadata, fileNames, background, border };
  const advanced = { iconSizes, effort, compression, kernel, light };
  return { recipe: { size, quality, enlarge: !form.dontEnlarge, ...asChosen, ...advanced } };
}

// Each reader answers null after it has added a problem.

function readSize(form: RecipeForm, problems: FieldProblem[]): SizeWish | null {
  switch (form.mode) {
    case 'sides':
      return readSides(form, problems);
    case 'percent': {
      const percent = readPercent('percent', form.percent, problems);
      return percent === null ? null : { by: 'percent', percent };
    }
    case 'longest': {
      const side = readPixels('longest', form.longest, problems);
      return side === null ? null : { by: 'longest', side };
    }
  }
}

function readSides(form: RecipeForm, problems: FieldProblem[]): SizeWish | null {
  const [widthText, heightText] = splitPair(form.width) ?? splitPair(form.height) ?? [form.width, form.height];
  if (isEmpty(widthText) && isEmpty(heightText)) {
    problems.push({ code: 'size-missing', field: 'width' });
    return null;
  }
  const found = problems.length;
  const width = isEmpty(widthText) ? null : readLength('width', widthText, problems);
  const height = isEmpty(heightText) ? null : readLength('height', heightText, problems);
  if (problems.length > found || isHuge(width, height, problems)) return null;
  return { by: 'box', width, height, fit: form.keepProportions ? 'contain' : form.otherShape };
}

function isHuge(width: Length | null, height: Length | null, problems: FieldProblem[]): boolean {
  if (width?.unit !== 'px' || height?.unit !== 'px') return false;
  const megapixels = Math.round((width.value * height.value) / 1e6);
  if (megapixels <= MAX_TYPED_MEGAPIXELS) return false;
  problems.push({ code: 'huge', field: 'width', width: width.value, height: height.value, megapixels });
  return true;
}

function readLength(field: FieldName, text: string, problems: FieldProblem[]): Length | null {
  if (plain(text).endsWith('%')) {
    const value = readPercent(field, text, problems);
    return value === null ? null : { unit: 'percent', value };
  }
  const value = readPixels(field, text, problems);
  return value === null ? null : { unit: 'px', value };
}

function readPixels(field: FieldName, text: string, problems: FieldProblem[]): number | null {
  const digits = /^(\d+)(?:px)?$/.exec(plain(text))?.[1];
  const value = Number(digits ?? 0);
  if (value >= 1 && value <= MAX_SIDE) return value;
  problems.push({ code: 'not-a-whole-number', field, max: MAX_SIDE });
  return null;
}

function readPercent(field: FieldName, text: string, problems: FieldProblem[]): number | null {
  // Half the world writes the decimal point as a comma.
  const digits = /^(\d+(?:[.,]\d+)?)%?$/.exec(plain(text))?.[1];
  const value = Number((digits ?? '0').replace(',', '.'));
  if (value >= 1 && value <= MAX_PERCENT) return value;
  problems.push({ code: 'not-a-percentage', field, max: MAX_PERCENT });
  return null;
}

function readQuality(quality: 'auto' | number, problems: FieldProblem[]): 'auto' | number | null {
  if (quality === 'auto') return quality;
  if (Number.isInteger(quality) && quality >= 1 && quality <= MAX_QUALITY) return quality;
  problems.push({ code: 'not-a-whole-number', field: 'quality', max: MAX_QUALITY });
  return null;
}

/** `800x600`, also with ×, * or spaces: both sides at once. */
function splitPair(text: string): readonly [string, string] | null {
  const [, width, height] = /^([^x×*]+)[x×*]([^x×*]+)$/.exec(plain(text).replaceAll('px', '')) ?? [];
  return width === undefined || height === undefined ? null : [width, height];
}

/** Chinese keyboards type full-width digits and signs, which compatibility normalisation (NFKC) makes plain. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
}

function isEmpty(text: string): boolean {
  return plain(text) === '';
}
