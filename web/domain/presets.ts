// Presets: some settings under a name, and the address of a page with settings.

import {
  DEFAULT_FORM,
  isDefault,
  type RecipeForm,
  restoreForm,
  SETTINGS,
  SETTINGS_HASH,
  type SettingName,
} from './settings.ts';

/** Values of some settings. */
export type PartOfForm = Partial<RecipeForm>;

/** The presets of the page. They leave other settings as they are. */
export const PRESETS = {
  web: { mode: 'sides', unit: 'px', width: '1920', height: '' },
  hd: { mode: 'sides', unit: 'px', width: '1280', height: '' },
  small: { mode: 'sides', unit: 'px', width: '800', height: '' },
  half: { mode: 'percent', percent: '50' },
  icon: { mode: 'longest', unit: 'px', longest: '256', format: 'ico' },
  appIcons: { mode: 'appIcons' },
  email: { fileLimit: '500' },
} as const satisfies Readonly<Record<string, PartOfForm>>;

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

/** A preset of the visitor: it has all settings, and those that it does not name are the default ones. */
export interface OwnPreset {
  readonly name: string;
  readonly part: PartOfForm;
}

const NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** The longest name of a preset, and the largest number of presets. */
export const MAX_PRESET_NAME = 40;
export const MAX_PRESETS = 30;

/** Returns the settings that differ from the default ones. */
export function changedPart(form: RecipeForm): PartOfForm {
  return Object.fromEntries(NAMES.filter((name) => !isDefault(form, name)).map((name) => [name, form[name]]));
}

/** Returns the form of an own preset. */
export function formOf(part: PartOfForm): RecipeForm {
  return { ...DEFAULT_FORM, ...part };
}

/** Returns the default values of the settings in a part. */
export function defaultsOf(part: PartOfForm): PartOfForm {
  return Object.fromEntries(NAMES.filter((name) => name in part).map((name) => [name, DEFAULT_FORM[name]]));
}

/** Whether the form has all values of a part. */
export function contains(form: RecipeForm, part: PartOfForm): boolean {
  return JSON.stringify({ ...form, ...part }) === JSON.stringify(form);
}

/** Adds a preset, or replaces the one of the same name. */
export function withPreset(presets: readonly OwnPreset[], preset: OwnPreset): readonly OwnPreset[] {
  return [...presets.filter(({ name }) => name !== preset.name), preset].slice(-MAX_PRESETS);
}

/** Returns the valid presets of a stored list. */
export function restorePresets(stored: unknown): readonly OwnPreset[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .filter((preset) => typeof preset?.name === 'string' && preset.name !== '' && preset.name.length <= MAX_PRESET_NAME)
    .map(({ name, part }) => ({ name, part: changedPart(restoreForm(part)) }))
    .slice(0, MAX_PRESETS);
}

/** Returns the hash of an address that gives the page these settings. */
export function hashOf(form: RecipeForm): string {
  return SETTINGS_HASH + encodeURIComponent(JSON.stringify(changedPart(form)));
}

/** Returns the form of a hash with settings; null if the hash is damaged. */
export function formOfHash(hash: string): RecipeForm | null {
  try {
    const part: unknown = JSON.parse(decodeURIComponent(hash.slice(SETTINGS_HASH.length)));
    return typeof part === 'object' && part !== null && !Array.isArray(part) ? restoreForm(part) : null;
  } catch {
    return null;
  }
}
