// The size of one image alone, instead of the size of the settings.

import { type FieldProblem, readForm } from './form.ts';
import type { BoxRule, Length, Recipe } from './recipe.ts';
import { DEFAULT_FORM, type RecipeForm } from './settings.ts';

/** The sides of one image; at least one is given. */
export type OwnSize = Pick<BoxRule, 'width' | 'height'>;

/** Both sides as typed, with the syntax of the settings. */
export interface TypedSides {
  readonly width: string;
  readonly height: string;
}

/**
 * Returns the size that was typed, null if nothing was, or the problems of the text. Centimetres and inches are those of the
 * typed density of the settings, if it is valid.
 */
export function readOwnSize(
  typed: TypedSides,
  density = '',
): { readonly size: OwnSize | null } | { readonly problems: FieldProblem[] } {
  const form: RecipeForm = { ...DEFAULT_FORM, ...typed, mode: 'sides' };
  const inDensity = readForm({ ...form, density });
  const isBadDensity = 'problems' in inDensity && inDensity.problems.some(({ field }) => field === 'density');
  const reading = isBadDensity ? readForm(form) : inDensity;
  if ('problems' in reading) {
    const problems = reading.problems.filter(({ code }) => code !== 'size-missing');
    return problems.length === 0 ? { size: null } : { problems };
  }
  const { size } = reading.recipe;
  if (size.by !== 'box') throw new Error('two sides are read as a box');
  return { size: { width: size.width, height: size.height } };
}

/** Returns the text of a size, which `readOwnSize` reads as the same size. */
export function typedSides(size: OwnSize | null): TypedSides {
  return { width: textOf(size?.width ?? null), height: textOf(size?.height ?? null) };
}

function textOf(length: Length | null): string {
  if (length === null) return '';
  return length.unit === 'px' ? String(length.value) : `${length.value}%`;
}

/** Returns the recipe with the size of one image. Its fit stays that of the settings, if they have one. */
export function withOwnSize(recipe: Recipe, { width, height }: OwnSize): Recipe {
  const box = recipe.size.by === 'box' ? recipe.size : ({ by: 'box', fit: 'contain' } as const);
  return { ...recipe, size: { ...box, width, height } };
}
