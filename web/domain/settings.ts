// The table of settings. The form's type, the defaults, the check of stored values and the fields of the advanced card
// follow from it. To add a setting, add its row; `jobs.ts` passes its value to the core.

import { type FormatOption, MAX_SIDE, WRITABLE_FORMATS, type WritableFormat } from './formats.ts';
import {
  CODINGS,
  COMPRESSIONS,
  DECODINGS,
  EFFORTS,
  KERNELS,
  LIGHTS,
  METADATA_POLICIES,
  PALETTE_USES,
  PROFILES,
  type Rgb,
  RINGINGS,
  SHARPENINGS,
  SUBSAMPLINGS,
} from './job.ts';
import { NO_TURN, TURNS } from './turns.ts';

/** The card with the setting's control. */
type Card = 'size' | 'format' | 'metadata' | 'names' | 'advanced';

interface Setting<T, C extends Card> {
  readonly card: C;
  readonly default: T;
  /** Returns the setting's value for a stored value; undefined for an invalid one. */
  readonly parse: (stored: unknown) => T | undefined;
}

/** A setting with a fixed list of values. Its texts are `name.label` and `name.value`. */
interface Choice<T extends string, C extends Card> extends Setting<T, C> {
  readonly values: readonly T[];
}

function choice<const T extends string, C extends Card>(
  card: C,
  values: readonly T[],
  initial: NoInfer<T>,
): Choice<T, C> {
  return { card, values, default: initial, parse: (stored) => values.find((value) => value === stored) };
}

function toggle<C extends Card>(card: C, initial: boolean): Setting<boolean, C> {
  return { card, default: initial, parse: (stored) => (typeof stored === 'boolean' ? stored : undefined) };
}

/** A text as typed. Invalid text is stored too, so that a reload does not lose it. */
function text<C extends Card>(card: C, initial: string, maxLength = 40): Setting<string, C> {
  const parse = (stored: unknown) => (typeof stored === 'string' && stored.length <= maxLength ? stored : undefined);
  return { card, default: initial, parse };
}

/** A whole number from 1 to `max`, or one of the words. */
function numberOr<const T extends string, C extends Card>(
  card: C,
  words: readonly T[],
  max: number,
  initial: NoInfer<T>,
): Setting<T | number, C> {
  const isNumber = (stored: unknown) => Number.isInteger(stored) && Number(stored) >= 1 && Number(stored) <= max;
  const parse = (stored: unknown) => (isNumber(stored) ? Number(stored) : words.find((word) => word === stored));
  return { card, default: initial, parse };
}

/** One of some numbers. */
function number<const T extends number, C extends Card>(
  card: C,
  values: readonly T[],
  initial: NoInfer<T>,
): Setting<T, C> {
  return { card, default: initial, parse: (stored) => values.find((value) => value === stored) };
}

/** Some of the values, in the order of the list. */
function subset<T, C extends Card>(card: C, values: readonly T[]): Setting<readonly T[], C> {
  const parse = (stored: unknown) =>
    Array.isArray(stored) ? values.filter((value) => stored.includes(value)) : undefined;
  return { card, default: [], parse };
}

/** An opaque colour. */
function color<C extends Card>(card: C, initial: Rgb): Setting<Rgb, C> {
  const isSample = (sample: unknown) => Number.isInteger(sample) && Number(sample) >= 0 && Number(sample) <= 255;
  const isColor = (stored: unknown) => Array.isArray(stored) && stored.length === 3 && stored.every(isSample);
  return { card, default: initial, parse: (stored) => (isColor(stored) ? (stored as unknown as Rgb) : undefined) };
}

export const MAX_QUALITY = 100;

/** The size fields; the chosen mode decides which of them apply. */
export const SIZE_MODES = ['sides', 'percent', 'longest', 'shortest', 'megapixels', 'widths', 'appIcons'] as const;

/** The units of typed lengths. */
export const UNITS = ['px', 'cm', 'mm', 'in'] as const;
export type Unit = (typeof UNITS)[number];

/** The size modes of one field, which has the name of its mode. */
export type OneFieldMode = Exclude<(typeof SIZE_MODES)[number], 'sides' | 'appIcons'>;

/** The fits for images of another shape if proportions need not be kept. */
export const OTHER_SHAPES = ['cover', 'pad', 'stretch'] as const;

/** The place of a crop: nine named positions, row by row. */
export const FOCUSES = [
  ...(['top-left', 'top', 'top-right'] as const),
  ...(['left', 'center', 'right'] as const),
  ...(['bottom-left', 'bottom', 'bottom-right'] as const),
] as const;
/**
 * A named position, or a free one as CSS `object-position` writes it: the parts of the room left of the crop and above it. At
 * `0%` the crop lies at the left or at the top.
 */
export type Focus = (typeof FOCUSES)[number] | FreeFocus;
type FreeFocus = `${number}% ${number}%`;

const PERCENT = String.raw`(?:100|\d?\d(?:\.\d)?)%`;
const FREE_FOCUS = new RegExp(`^${PERCENT} ${PERCENT}$`);

export function isFreeFocus(stored: unknown): stored is FreeFocus {
  return typeof stored === 'string' && FREE_FOCUS.test(stored);
}

function focus<C extends Card>(card: C, initial: Focus): Setting<Focus, C> {
  const parse = (stored: unknown) => (isFreeFocus(stored) ? stored : FOCUSES.find((value) => value === stored));
  return { card, default: initial, parse };
}

/** The frames to use from an animation, and the pages to use from a file with several pages. */
export const FRAME_CHOICES = ['all', 'first'] as const;

/** Whether a format that can be lossy is written without loss. */
const LOSSLESS_CHOICES = ['no', 'yes'] as const;

/** The largest numbers of colours in a palette, the transparent one included. */
export const COLOR_COUNTS = ['256', '128', '64', '32', '16', '8'] as const;

/** The sides of an icon's images: the sizes that Windows displays, from lists to the largest view. */
export const ICON_SIDES = [16, 24, 32, 48, 64, 128, 256] as const;
export type IconSide = (typeof ICON_SIDES)[number];

/** The choice in an icon: the whole icon as one image, every entry, or (a number) the entry of one side. */
export const ENTRY_CHOICES = ['largest', 'all'] as const;
export type EntryChoice = (typeof ENTRY_CHOICES)[number] | number;

const SAME_FORMAT = 'same';

export const SETTINGS = {
  mode: choice('size', SIZE_MODES, 'sides'),
  /** `1920`, `50%`, or both sides at once: `800x600`. */
  width: text('size', '1920'),
  /** Empty by default: a value would limit tall images when only the width is edited. */
  height: text('size', ''),
  percent: text('size', '50'),
  longest: text('size', '1920'),
  shortest: text('size', '1080'),
  megapixels: text('size', '2'),
  /** Several widths: one result for each. */
  widths: text('size', '480, 960, 1920', 80),
  keepProportions: toggle('size', true),
  otherShape: choice('size', OTHER_SHAPES, 'cover'),
  /** The part of the image that stays when it is cropped. */
  focus: focus('size', 'center'),
  /** The colour of added borders, unless they are transparent. */
  borderColor: color('size', [255, 255, 255]),
  transparentBorder: toggle('size', false),
  dontEnlarge: toggle('size', true),
  /** The unit of numbers without one in the fields of lengths. */
  unit: choice('size', UNITS, 'px'),
  /** Pixels per inch, which results state and by which centimetres are converted. Empty to keep that of the original. */
  density: text('size', ''),
  turn: number('size', TURNS, NO_TURN),

  format: choice<typeof SAME_FORMAT | WritableFormat, 'format'>(
    'format',
    [SAME_FORMAT, ...WRITABLE_FORMATS],
    SAME_FORMAT,
  ),
  /** `auto` keeps approximately the quality of the original. */
  quality: numberOr('format', ['auto'], MAX_QUALITY, 'auto'),
  /** `200` kilobytes or `1.5 MB`: the quality is then the best at which each file is not larger. Empty for no limit. */
  fileLimit: text('format', ''),
  /** The colour behind transparent areas if the format has no transparency. */
  background: color('format', [255, 255, 255]),
  frames: choice('format', FRAME_CHOICES, 'all'),
  pages: choice('format', FRAME_CHOICES, 'all'),
  entries: numberOr('format', ENTRY_CHOICES, MAX_SIDE, 'largest'),

  metadata: choice('metadata', METADATA_POLICIES, 'keep-without-location'),

  /** The pattern of file names; `naming.ts` defines its tokens. */
  fileNames: text('names', '{name}-{w}x{h}', 120),

  kernel: choice('advanced', KERNELS, 'lanczos3'),
  ringing: choice('advanced', RINGINGS, 'kept'),
  light: choice('advanced', LIGHTS, 'auto'),
  decoding: choice('advanced', DECODINGS, 'exact'),
  sharpen: choice('advanced', SHARPENINGS, 'off'),
  profile: choice('advanced', PROFILES, 'keep'),
  subsampling: choice('advanced', SUBSAMPLINGS, 'auto'),
  coding: choice('advanced', CODINGS, 'baseline'),
  effort: choice('advanced', EFFORTS, 'default'),
  palette: choice('advanced', PALETTE_USES, 'like-source'),
  /** Whether every pixel of a result keeps its value; the quality then means nothing. */
  lossless: choice('advanced', LOSSLESS_CHOICES, 'no'),
  /** LZW is the default because every program reads it. */
  compression: choice('advanced', COMPRESSIONS, 'lzw'),
  colors: choice('advanced', COLOR_COUNTS, '256'),
  /** The sizes of written icons; an empty list selects the usual sizes up to the requested size. */
  iconSizes: subset('advanced', ICON_SIDES),
} as const satisfies Readonly<Record<FormatOption, Setting<unknown, Card>>> &
  Readonly<Record<string, Setting<unknown, Card>>>;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** The values in the form. Text typed for one size mode stays when another mode is chosen. */
export type RecipeForm = {
  readonly [N in SettingName]: Settings[N] extends Setting<infer T, Card> ? T : never;
};

/** The names of a card's settings. */
export type NameIn<C extends Card> = { [N in SettingName]: Settings[N]['card'] extends C ? N : never }[SettingName];

/** The names of a card's settings that have a fixed list of values. */
export type ChoiceIn<C extends Card> = {
  [N in NameIn<C>]: Settings[N] extends Choice<string, Card> ? N : never;
}[NameIn<C>];

const NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export const DEFAULT_FORM: RecipeForm = formOf(({ default: initial }) => initial);

/**
 * Returns the valid values of a stored form and defaults for the rest; an older or newer version may have stored it.
 */
export function restoreForm(stored: unknown): RecipeForm {
  const known: Readonly<Record<string, unknown>> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
  return formOf((setting, name) => setting.parse(known[name]) ?? setting.default);
}

export function isDefault<N extends SettingName>(form: Readonly<Pick<RecipeForm, N>>, name: N): boolean {
  return isSame(form[name], DEFAULT_FORM[name]);
}

/** Whether every setting of the card has its default value. */
export function isCardDefault(form: RecipeForm, card: Card): boolean {
  return NAMES.every((name) => SETTINGS[name].card !== card || isDefault(form, name));
}

/** The choices of the advanced card, in the order of their fields. */
export const ADVANCED_CHOICES: readonly ChoiceIn<'advanced'>[] = NAMES.filter(
  (name): name is ChoiceIn<'advanced'> => SETTINGS[name].card === 'advanced' && 'values' in SETTINGS[name],
);

/** Builds a form by computing a value for each row of the table. */
function formOf(pick: (setting: Setting<unknown, Card>, name: SettingName) => unknown): RecipeForm {
  return Object.fromEntries(NAMES.map((name) => [name, pick(SETTINGS[name], name)])) as unknown as RecipeForm;
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, i) => item === other[i]);
}

/** The beginning of an address's hash with settings (`presets.ts`). Browsers do not send the hash to the server. */
export const SETTINGS_HASH = '#settings=';
