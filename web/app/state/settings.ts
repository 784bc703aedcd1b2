// The settings: the form as typed, the recipe that is read from it, and its storage between visits. If the browser does
// not store (private windows, blocked storage), settings last for the visit, without a message.

import { type FieldProblem, type FormReading, readForm } from '../../domain/form.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { DEFAULT_FORM, isCardDefault, type RecipeForm, restoreForm } from '../../domain/settings.ts';
import type { SafeStorage } from './safe-storage.ts';
import { computed, type Readable, Signal } from './signal.ts';

const STORAGE_KEY = 'settings';

export class Settings {
  readonly #form = new Signal<RecipeForm>(DEFAULT_FORM);
  readonly #reading = computed([this.#form], readForm);
  readonly #recipe = computed([this.#reading], recipeOf);
  readonly #problems = computed([this.#reading], problemsOf);
  readonly #isDefault = computed([this.#reading, this.#form], isDefaultReading);
  /** The turn of all images. */
  readonly turn = computed([this.#form], ({ turn }) => turn);
  #storage: SafeStorage | null = null;
  /** Changes made before the stored settings were read; these override the stored ones. */
  #early: Partial<RecipeForm> = {};

  get form(): Readable<RecipeForm> {
    return this.#form;
  }

  /** The recipe; null while the form is invalid. */
  get recipe(): Readable<Recipe | null> {
    return this.#recipe;
  }

  /** Whether the settings give the same results as the default ones. */
  get isDefault(): Readable<boolean> {
    return this.#isDefault;
  }

  get problems(): Readable<readonly FieldProblem[]> {
    return this.#problems;
  }

  /** Restores the settings of the last visit, and stores every later change. */
  remember(storage: SafeStorage): void {
    this.#storage = storage;
    const stored = storage.get(STORAGE_KEY);
    if (stored !== null) this.#form.set({ ...restoreForm(parsed(stored)), ...this.#early });
  }

  change(part: Partial<RecipeForm>): void {
    this.#form.set({ ...this.#form.get(), ...part });
    if (this.#storage === null) this.#early = { ...this.#early, ...part };
    this.#storage?.set(STORAGE_KEY, JSON.stringify(this.#form.get()));
  }

  reset(): void {
    this.#form.set(DEFAULT_FORM);
    this.#storage?.remove(STORAGE_KEY);
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function recipeOf(reading: FormReading): Recipe | null {
  return 'recipe' in reading ? reading.recipe : null;
}

function problemsOf(reading: FormReading): readonly FieldProblem[] {
  return 'problems' in reading ? reading.problems : [];
}

const DEFAULT_READING = JSON.stringify(readForm(DEFAULT_FORM));

function isDefaultReading(reading: FormReading, form: RecipeForm): boolean {
  return JSON.stringify(reading) === DEFAULT_READING && isCardDefault(form, 'names');
}
