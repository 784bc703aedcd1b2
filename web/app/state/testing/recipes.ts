// Recipes of forms, for tests.

import { readForm } from '../../../domain/form.ts';
import type { Recipe } from '../../../domain/recipe.ts';
import { DEFAULT_FORM, type RecipeForm } from '../../../domain/settings.ts';

/** Returns the recipe of the default form with some changes. Throws if the form is invalid. */
export function recipeFor(changes: Partial<RecipeForm> = {}): Recipe {
  const reading = readForm({ ...DEFAULT_FORM, ...changes });
  if (!('recipe' in reading)) throw new Error('the form of this test is invalid');
  return reading.recipe;
}
