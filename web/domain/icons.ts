// Icons hold one image in several sizes: the sizes to write, and the source entry for each size.

import { geometryFor, resultSize } from './geometry.ts';
import { everyFrame, frameSize, type Picture, type Size } from './picture.ts';
import type { Recipe } from './recipe.ts';
import { type EntryChoice, ICON_SIDES } from './settings.ts';

/**
 * Returns the sides of the icon for an image of this size, ascending. If sizes are chosen: the chosen sides that need
 * no enlarging, at least one. Otherwise: the usual sides up to the requested size. `max` is the longest side that the
 * format can hold.
 */
export function sidesFor(recipe: Recipe, upright: Size, max: number): readonly number[] {
  const { iconSizes, enlarge } = recipe;
  if (iconSizes.length > 0) {
    const sides = [...new Set(iconSizes)].sort((one, other) => one - other);
    const longest = enlarge ? max : sideOf(upright);
    return sides.filter((side, i) => i === 0 || side <= longest);
  }
  const requested = resultSize(geometryFor(recipe.size, upright, enlarge, recipe.border));
  const largest = Math.min(sideOf(requested), max);
  return [...ICON_SIDES.filter((side) => side < largest), largest];
}

/**
 * Returns the best entry for a square of this side: the entry of exactly this size, else the first, which is the
 * largest.
 */
export function entryFor(picture: Picture, side: number): number {
  if (picture.sequence !== 'sizes') return 0;
  return Math.max(
    0,
    picture.frameSizes.findIndex(({ width, height }) => width === side && height === side),
  );
}

/**
 * Returns the chosen entries, counted from 0. If no entry has the chosen side: the next larger entry, else the largest.
 */
export function entriesOf(picture: Picture, choice: EntryChoice): readonly number[] {
  const sides = entrySides(picture);
  if (choice === 'all') return sides.map((_, entry) => entry);
  if (choice === 'largest') return [0];
  const enough = sides.filter((side) => side >= choice);
  return [enough.length === 0 ? 0 : sides.indexOf(Math.min(...enough))];
}

/** Returns the longer side of each entry, in file order. */
export function entrySides(picture: Picture): readonly number[] {
  return everyFrame(picture).map((entry) => sideOf(frameSize(picture, entry)));
}

/** Whether an icon holds squares of exactly these sides. */
export function holdsExactly(picture: Picture, sides: readonly number[]): boolean {
  const isSquare = everyFrame(picture)
    .map((entry) => frameSize(picture, entry))
    .every(({ width, height }) => width === height);
  const own = [...entrySides(picture)].sort((one, other) => one - other);
  return isSquare && own.length === sides.length && own.every((side, i) => side === sides[i]);
}

function sideOf({ width, height }: Size): number {
  return Math.max(width, height);
}
