// Icons hold one picture in several sizes: which of them are written, and which entry of an icon a picture is made from.

import { FORMATS } from './formats.ts';
import { frameSize, type Picture, type Size } from './job.ts';

/** The sides of an icon's pictures: what Windows shows, from its lists to its largest view. */
export const ICON_SIDES = [16, 24, 32, 48, 64, 128, 256] as const;
export type IconSide = (typeof ICON_SIDES)[number];

/** Of icons with several entries: the icon as a whole, whose face is its largest entry; every entry; or those of a side. */
export type EntryChoice = 'largest' | 'all' | number;

/**
 * The sides of an icon's pictures, ascending: the chosen ones, of those that a picture of this size has without growing,
 * but always one; or, where none is chosen, the usual ones up to the wished size.
 */
export function sidesOf(chosen: readonly number[], upright: Size, wished: Size, enlarge: boolean): readonly number[] {
  if (chosen.length > 0) {
    const sides = [...new Set(chosen)].sort((one, other) => one - other);
    const most = enlarge ? FORMATS.ico.maxSide : sideOf(upright);
    return sides.filter((side, i) => i === 0 || side <= most);
  }
  const largest = Math.min(sideOf(wished), FORMATS.ico.maxSide);
  return [...ICON_SIDES.filter((side) => side < largest), largest];
}

/** The entry that a square of this side is best made from: the one of just that size, else the first, the largest. */
export function entryFor(picture: Picture, side: number): number {
  if (picture.sequence !== 'sizes') return 0;
  return Math.max(
    0,
    picture.frameSizes.findIndex(({ width, height }) => width === side && height === side),
  );
}

/** The entries that are meant, counted from 0: of a side that an icon lacks, the next larger one, else the largest. */
export function entriesOf(picture: Picture, choice: EntryChoice): readonly number[] {
  const sides = entrySides(picture);
  if (choice === 'all') return sides.map((_, entry) => entry);
  if (choice === 'largest') return [0];
  const enough = sides.filter((side) => side >= choice);
  return [enough.length === 0 ? 0 : sides.indexOf(Math.min(...enough))];
}

/** The longer side of each entry, in the order of the file's pictures. */
export function entrySides(picture: Picture): readonly number[] {
  return Array.from({ length: picture.frames }, (_, entry) => sideOf(frameSize(picture, entry)));
}

/** Whether an icon holds squares of just these sides. */
export function holdsJust(picture: Picture, sides: readonly number[]): boolean {
  const isSquare = Array.from({ length: picture.frames }, (_, entry) => frameSize(picture, entry)).every(
    ({ width, height }) => width === height,
  );
  const own = [...entrySides(picture)].sort((one, other) => one - other);
  return isSquare && own.length === sides.length && own.every((side, i) => side === sides[i]);
}

function sideOf({ width, height }: Size): number {
  return Math.max(width, height);
}
