// Turns of an image by quarters, and mirrors, as numbers of EXIF's orientation: 1 is none.

import type { Size } from './picture.ts';

/** 1 none, 2 mirrored, 3 by 180°, 4 mirrored top to bottom, 6 by 90° clockwise, 8 by 270°; 5 and 7 are mirrored, too. */
export const TURNS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type Turn = (typeof TURNS)[number];

export const NO_TURN: Turn = 1;
export const ROTATE_RIGHT: Turn = 6;
export const ROTATE_LEFT: Turn = 8;
export const MIRROR: Turn = 2;
export const MIRROR_VERTICALLY: Turn = 4;

/** Whether width and height are exchanged. */
export function swapsSides(turn: number): boolean {
  return turn >= 5;
}

export function turnedSize({ width, height }: Size, turn: number): Size {
  return swapsSides(turn) ? { width: height, height: width } : { width, height };
}

/** Whether x runs backwards after the turn, and whether y does. */
export function mirrors(turn: number): readonly [boolean, boolean] {
  return [[2, 3, 6, 7].includes(turn), [3, 4, 7, 8].includes(turn)];
}

/** Returns the turn with the effect of `first` and then of `next`. */
export function turnThen(first: number, next: number): Turn {
  const swaps = swapsSides(first) !== swapsSides(next);
  const [x, y] = swapsSides(next) ? mirrors(first).toReversed() : mirrors(first);
  const [nextX, nextY] = mirrors(next);
  const found = TURNS.find((turn) => {
    const [ownX, ownY] = mirrors(turn);
    return swapsSides(turn) === swaps && ownX === (x !== nextX) && ownY === (y !== nextY);
  });
  return found ?? NO_TURN;
}
