// Reads the form: typed text becomes a recipe or a list of problems. Typed text is never changed.

import { MAX_SIDE } from './formats.ts';
import type { Rgba } from './job.ts';
import { megapixelsOf } from './picture.ts';
import type { Length, Recipe, SizeRule } from './recipe.ts';
import type { NameIn, OneFieldMode, RecipeForm, Unit } from './settings.ts';

export const MAX_PERCENT = 400;
/** The largest typed size. 1000 megapixels take 4 GB; a larger size is most likely a typing mistake. */
export const MAX_TYPED_MEGAPIXELS = 1000;

/** The largest number of widths. */
export const MAX_WIDTHS = 10;

/** The largest density in pixels per inch. */
export const MAX_DENSITY = 9600;

/** The density by which typed centimetres and inches are converted if none is typed: that of printed photographs. */
export const PRINT_DENSITY = 300;

/** The largest file limit in KB. */
export const MAX_FILE_LIMIT = 1_000_000;

export type SizeFieldName = 'width' | 'height' | OneFieldMode;
export type FieldName = SizeFieldName | 'density' | 'fileLimit';

/** A reason why the form is invalid. */
export type FieldProblem =
  /** Width and height are both empty. */
  | { readonly code: 'size-missing'; readonly field: 'width' }
  /** Not a whole number from 1 to `max`. */
  | { readonly code: 'not-a-whole-number'; readonly field: FieldName; readonly max: number }
  /** Not a percentage from 1 to `max`. */
  | { readonly code: 'not-a-percentage'; readonly field: FieldName; readonly max: number }
  /** Not a number above 0, up to `max`. */
  | { readonly code: 'not-megapixels'; readonly field: 'megapixels'; readonly max: number }
  /** Not one to `most` whole numbers from 1 to `max`. */
  | { readonly code: 'not-widths'; readonly field: 'widths'; readonly max: number; readonly most: number }
  /** Not a density from 1 to `max`. */
  | { readonly code: 'not-a-density'; readonly field: 'density'; readonly max: number }
  /** Not a file size from 1 to `max` KB. */
  | { readonly code: 'not-a-file-size'; readonly field: 'fileLimit'; readonly max: number }
  /** More than `MAX_TYPED_MEGAPIXELS`. */
  | {
      readonly code: 'huge';
      readonly field: 'width';
      readonly width: number;
      readonly height: number;
      readonly megapixels: number;
    };

export type FormReading = { readonly recipe: Recipe } | { readonly problems: readonly FieldProblem[] };

/** Returns the form's recipe, or all problems of the form: at most one per field. */
export function readForm(form: RecipeForm): FormReading {
  const problems: FieldProblem[] = [];
  const typed = isEmpty(form.density) ? null : readDensity(form.density, problems);
  const printed = inPixels(form, typed ?? PRINT_DENSITY);
  const density = typed ?? (printed === form ? null : PRINT_DENSITY);
  const size = readSize(printed, problems);
  const maxBytes = isEmpty(form.fileLimit) ? null : readFileLimit(form.fileLimit, problems);
  if (size === null || problems.length > 0) return { problems };
  const { mode, width, height, percent, longest, shortest, megapixels, widths, ...settings } = form;
  const { keepProportions, otherShape, focus, dontEnlarge, unit, density: _, ...rest } = settings;
  const { borderColor, transparentBorder, fileNames, fileLimit, ...others } = rest;
  const border: Rgba = transparentBorder ? [0, 0, 0, 0] : [...borderColor, 255];
  return { recipe: { ...others, size, enlarge: !dontEnlarge, border, density, maxBytes } };
}

type SizeForm = Pick<RecipeForm, NameIn<'size'>>;

/** Returns the pixels of a unit at a density. */
export function pixelsPer(unit: Unit, density: number | null): number {
  return unit === 'px' ? 1 : (INCHES[unit] ?? 1) * (density ?? PRINT_DENSITY);
}

/** Returns the settings with another unit. Numbers without a unit in the fields of lengths are converted. */
export function withUnit(form: RecipeForm, unit: Unit): Partial<RecipeForm> {
  const found: FieldProblem[] = [];
  const density = isEmpty(form.density) ? null : readDensity(form.density, found);
  const factor = pixelsPer(form.unit, density) / pixelsPer(unit, density);
  const digits = unit === 'px' ? 1 : 100;
  const convert = (number: string) => String(Math.round(readNumber(number) * factor * digits) / digits);
  const converted = LENGTH_FIELDS.flatMap((field) => {
    const text = plain(form[field]);
    return /^[\d.,]+(?:[x×*][\d.,]+)?$/.test(text) ? [[field, text.replaceAll(/[\d.,]+/g, convert)]] : [];
  });
  return { ...Object.fromEntries(converted), unit };
}

/** The fields in which lengths can be typed. */
const LENGTH_FIELDS = ['width', 'height', 'longest', 'shortest'] as const;

/** Units of length in inches. NFKC turns the sign ″ into two strokes. */
const INCHES: Readonly<Record<string, number>> = {
  ...{ in: 1, inch: 1, '"': 1, '\u2032\u2032': 1, 英寸: 1, 英吋: 1, 吋: 1 },
  ...{ cm: 1 / 2.54, 厘米: 1 / 2.54, 公分: 1 / 2.54 },
  ...{ mm: 1 / 25.4, 毫米: 1 / 25.4, 公釐: 1 / 25.4 },
};

/**
 * Returns the form with lengths (`10cm`, `4 in`, `10x15cm`) of the chosen mode as pixels; the same object if there are
 * none.
 */
function inPixels(form: RecipeForm, density: number): RecipeForm {
  const changed = LENGTH_FIELDS.flatMap((field) => {
    const isUsed = form.mode === 'sides' ? field === 'width' || field === 'height' : field === form.mode;
    const pixels = isUsed ? pixelsOf(form[field], form.unit, density) : null;
    return pixels === null ? [] : [[field, pixels]];
  });
  return changed.length === 0 ? form : { ...form, ...Object.fromEntries(changed) };
}

/** Returns a length, or a pair of them, as text in pixels; null for pixels and for other text. */
function pixelsOf(text: string, usual: Unit, density: number): string | null {
  const [, first = '', second, unit = ''] = /^([\d.,]+)(?:[x×*]([\d.,]+))?([^\d.,x×*%]*)$/.exec(plain(text)) ?? [];
  const inches = first === '' ? undefined : INCHES[unit === '' ? usual : unit];
  if (inches === undefined) return null;
  const sides = second === undefined ? [first] : [first, second];
  // A length below half a pixel, or no number, becomes 0, which is refused as a number of pixels.
  return sides.map((side) => Math.round(readNumber(side) * inches * density)).join('x');
}

// Each reader returns null after adding a problem.

function readSize(form: SizeForm, problems: FieldProblem[]): SizeRule | null {
  switch (form.mode) {
    case 'sides':
      return readSides(form, problems);
    case 'percent': {
      const percent = readPercent('percent', form.percent, problems);
      return percent === null ? null : { by: 'percent', percent };
    }
    case 'longest':
    case 'shortest': {
      const side = readPixels(form.mode, form[form.mode], problems);
      return side === null ? null : { by: form.mode, side };
    }
    case 'megapixels': {
      const megapixels = readNumber(form.megapixels);
      if (megapixels > 0 && megapixels <= MAX_TYPED_MEGAPIXELS) return { by: 'megapixels', megapixels };
      problems.push({ code: 'not-megapixels', field: 'megapixels', max: MAX_TYPED_MEGAPIXELS });
      return null;
    }
    case 'widths':
      return readWidths(form.widths, problems);
    case 'appIcons':
      return { by: 'app-icons' };
  }
}

function readSides(form: SizeForm, problems: FieldProblem[]): SizeRule | null {
  const [widthText, heightText] = splitPair(form.width) ?? splitPair(form.height) ?? [form.width, form.height];
  if (isEmpty(widthText) && isEmpty(heightText)) {
    problems.push({ code: 'size-missing', field: 'width' });
    return null;
  }
  const found = problems.length;
  const width = isEmpty(widthText) ? null : readLength('width', widthText, problems);
  const height = isEmpty(heightText) ? null : readLength('height', heightText, problems);
  if (problems.length > found || isHuge(width, height, problems)) return null;
  const fit = form.keepProportions ? 'contain' : form.otherShape;
  return { by: 'box', width, height, fit, ...(fit === 'cover' ? { focus: form.focus } : {}) };
}

/** Reads whole numbers between commas, semicolons or spaces. */
function readWidths(text: string, problems: FieldProblem[]): SizeRule | null {
  const texts = text
    .normalize('NFKC')
    .split(/[\s,;、]+/)
    .filter((part) => part !== '');
  const invalid: FieldProblem[] = [];
  const widths = texts.flatMap((part) => readPixels('widths', part, invalid) ?? []);
  const [first, ...more] = [...new Set(widths)].sort((one, other) => other - one);
  if (first !== undefined && invalid.length === 0 && texts.length <= MAX_WIDTHS) {
    return { by: 'widths', widths: [first, ...more] };
  }
  problems.push({ code: 'not-widths', field: 'widths', max: MAX_SIDE, most: MAX_WIDTHS });
  return null;
}

function isHuge(width: Length | null, height: Length | null, problems: FieldProblem[]): boolean {
  if (width?.unit !== 'px' || height?.unit !== 'px') return false;
  const megapixels = megapixelsOf({ width: width.value, height: height.value });
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
  const value = readNumber(plain(text).replace(/%$/, ''));
  if (value >= 1 && value <= MAX_PERCENT) return value;
  problems.push({ code: 'not-a-percentage', field, max: MAX_PERCENT });
  return null;
}

function readDensity(text: string, problems: FieldProblem[]): number | null {
  const value = readNumber(plain(text).replace(/(?:dpi|ppi)$/, ''));
  if (value >= 1 && value <= MAX_DENSITY) return value;
  problems.push({ code: 'not-a-density', field: 'density', max: MAX_DENSITY });
  return null;
}

/** Reads `200`, `200 KB` or `1.5 MB` in bytes. */
function readFileLimit(text: string, problems: FieldProblem[]): number | null {
  const [, number = '', unit] = /^([\d.,]+)(kb?|mb?)?$/.exec(plain(text)) ?? [];
  const kilobytes = readNumber(number) * (unit?.startsWith('m') ? 1024 : 1);
  if (kilobytes >= 1 && kilobytes <= MAX_FILE_LIMIT) return Math.floor(kilobytes * 1024);
  problems.push({ code: 'not-a-file-size', field: 'fileLimit', max: MAX_FILE_LIMIT });
  return null;
}

/** Reads a decimal number; 0 for other text. Many countries write the decimal point as a comma. */
function readNumber(text: string): number {
  const digits = /^\d+(?:[.,]\d+)?$/.exec(plain(text))?.[0];
  return Number((digits ?? '0').replace(',', '.'));
}

/** Splits `800x600` (also with ×, * or spaces) into both sides; null for other text. */
function splitPair(text: string): readonly [string, string] | null {
  const [, width, height] = /^([^x×*]+)[x×*]([^x×*]+)$/.exec(plain(text).replaceAll('px', '')) ?? [];
  return width === undefined || height === undefined ? null : [width, height];
}

/** Normalises typed text. Chinese input methods type full-width digits and signs; NFKC turns these into ASCII. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
}

function isEmpty(text: string): boolean {
  return plain(text) === '';
}
