// The settings: the form as typed, what it asks for, and its memory between visits. Where the browser stores nothing
// (private windows, blocked storage), settings last for the visit and nobody is bothered.

import {
  DEFAULT_FORM,
  type FieldProblem,
  type FormReading,
  MAX_QUALITY,
  type RecipeForm,
  readForm,
} from '../../domain/form.ts';
import { MAX_SIDE, WRITABLE_FORMATS } from '../../domain/formats.ts';
import { type EntryChoice, ICON_SIDES, type IconSide } from '../../domain/icons.ts';
import { COMPRESSIONS, EFFORTS, KERNELS, LIGHTS, METADATA_POLICIES } from '../../domain/job.ts';
import { PAGE_CHOICES, type Recipe } from '../../domain/recipe.ts';
import { computed, type Readable, Signal } from './signal.ts';

const STORAGE_KEY = 'settings';

/** What the settings need of `localStorage`. */
export type SettingsStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class Settings {
  readonly #form = new Signal<RecipeForm>(DEFAULT_FORM);
  readonly #reading = computed([this.#form], readForm);
  readonly #recipe = computed([this.#reading], recipeOf);
  readonly #problems = computed([this.#reading], problemsOf);
  #storage: SettingsStorage | null = null;
  /** What was changed before the last visit was remembered: it is newer. */
  #early: Partial<RecipeForm> = {};

  get form(): Readable<RecipeForm> {
    return this.#form;
  }

  /** Null while the form makes no sense. */
  get recipe(): Readable<Recipe | null> {
    return this.#recipe;
  }

  get problems(): Readable<readonly FieldProblem[]> {
    return this.#problems;
  }

  /** Takes up what was kept at the last visit, and keeps every change from now on. */
  remember(storage: SettingsStorage): void {
    this.#storage = storage;
    try {
      const kept = storage.getItem(STORAGE_KEY);
      if (kept !== null) this.#form.set({ ...restoreForm(JSON.parse(kept)), ...this.#early });
    } catch {
      // Blocked, or not what we wrote: the defaults stand.
    }
  }

  change(part: Partial<RecipeForm>): void {
    this.#form.set({ ...this.#form.get(), ...part });
    if (this.#storage === null) this.#early = { ...this.#early, ...part };
    try {
      this.#storage?.setItem(STORAGE_KEY, JSON.stringify(this.#form.get()));
    } catch {
      // Full or blocked: see above.
    }
  }

  reset(): void {
    this.#form.set(DEFAULT_FORM);
    try {
      this.#storage?.removeItem(STORAGE_KEY);
    } catch {
      // Blocked: see above.
    }
  }
}

function recipeOf(reading: FormReading): Recipe | null {
  return 'recipe' in reading ? reading.recipe : null;
}

function problemsOf(reading: FormReading): readonly FieldProblem[] {
  return 'problems' in reading ? reading.problems : [];
}

/** The parts of an unknown value that are settings; the rest by default. Kept settings can be of an older version. */
export function restoreForm(kept: unknown): RecipeForm {
  const known: Readonly<Record<string, unknown>> = typeof kept === 'object' && kept !== null ? { ...kept } : {};
  const { mode, width, height, percent, longest, keepProportions, dontEnlarge, otherShape } = DEFAULT_FORM;
  const { format, pages, metadata, quality } = DEFAULT_FORM;
  return {
    ...DEFAULT_FORM,
    ...restoreAdvanced(known),
    mode: oneOf(known['mode'], ['sides', 'percent', 'longest'], mode),
    width: text(known['width'], width),
    height: text(known['height'], height),
    percent: text(known['percent'], percent),
    longest: text(known['longest'], longest),
    keepProportions: known['keepProportions'] === !keepProportions ? !keepProportions : keepProportions,
    dontEnlarge: known['dontEnlarge'] === !dontEnlarge ? !dontEnlarge : dontEnlarge,
    otherShape: oneOf(known['otherShape'], ['cover', 'pad', 'stretch'], otherShape),
    format: oneOf(known['format'], ['same', ...WRITABLE_FORMATS], format),
    pages: oneOf(known['pages'], PAGE_CHOICES, pages),
    metadata: oneOf(known['metadata'], METADATA_POLICIES, metadata),
    quality: isQuality(known['quality']) ? known['quality'] : quality,
  };
}

function restoreAdvanced(known: Readonly<Record<string, unknown>>): Partial<RecipeForm> {
  const { entries, effort, compression, kernel, light } = DEFAULT_FORM;
  return {
    entries: isEntryChoice(known['entries']) ? known['entries'] : entries,
    iconSizes: iconSides(known['iconSizes']),
    effort: oneOf(known['effort'], EFFORTS, effort),
    compression: oneOf(known['compression'], COMPRESSIONS, compression),
    kernel: oneOf(known['kernel'], KERNELS, kernel),
    light: oneOf(known['light'], LIGHTS, light),
  };
}

function text(value: unknown, fallback: string): string {
  return typeof value === 'string' && value.length <= 40 ? value : fallback;
}

function isQuality(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_QUALITY;
}

function isEntryChoice(value: unknown): value is EntryChoice {
  if (typeof value !== 'number') return value === 'largest' || value === 'all';
  return Number.isInteger(value) && value >= 1 && value <= MAX_SIDE;
}

/** Those that are usual, ascending. */
function iconSides(value: unknown): IconSide[] {
  return Array.isArray(value) ? ICON_SIDES.filter((side) => value.includes(side)) : [];
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.find((one) => one === value) ?? fallback;
}
