// What tests of plans share.

import { readForm } from '../form.ts';
import type { Picture } from '../picture.ts';
import type { Recipe } from '../recipe.ts';
import { DEFAULT_FORM } from '../settings.ts';

/** A photograph that its camera turned. */
export const picture: Picture = {
  format: 'jpeg',
  width: 4000,
  height: 3000,
  orientation: 6,
  depth: 8,
  channels: 3,
  alpha: false,
  icc: false,
  frames: 1,
  sequence: 'single',
  frameSizes: [],
  metadata: 'none',
  workingSet: 0,
  hasPalette: false,
  hasGainMap: false,
};

/** Returns the recipe of the default form with changes. */
export function recipeFor(changes: Partial<typeof DEFAULT_FORM>): Recipe {
  const reading = readForm({ ...DEFAULT_FORM, ...changes });
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.recipe;
}
