// The part of an image that stays when it is cropped to another shape: a named position, or a free one.

import type { Rect } from './job.ts';
import type { Size } from './picture.ts';
import { FOCUSES, type Focus, isFreeFocus } from './settings.ts';

/** The named positions of each axis, in percent. They are the columns and the rows of `FOCUSES`. */
const NAMED: readonly number[] = [0, 50, 100];

/** Returns the parts of the room left of the crop and above it, in percent. */
export function focusPercent(focus: Focus): readonly [number, number] {
  if (isFreeFocus(focus)) {
    const [x = 50, y = 50] = focus.split(' ').map(Number.parseFloat);
    return [x, y];
  }
  const place = FOCUSES.indexOf(focus);
  return [NAMED[place % 3] ?? 50, NAMED[Math.floor(place / 3)] ?? 50];
}

/** Returns the position, which is named if it has a name; tenths of a percent are kept. */
export function focusAt(x: number, y: number): Focus {
  const part = (percent: number) => Math.round(Math.min(Math.max(percent, 0), 100) * 10) / 10;
  const [left, top] = [part(x), part(y)];
  const [column, row] = [NAMED.indexOf(left), NAMED.indexOf(top)];
  return (column < 0 || row < 0 ? undefined : FOCUSES[row * 3 + column]) ?? `${left}% ${top}%`;
}

/**
 * Returns the focus at which a crop of this size lies at a place in the image. An axis without room keeps its own part.
 */
export function focusOf({ x, y, width, height }: Rect, image: Size, last: Focus): Focus {
  const [lastX, lastY] = focusPercent(last);
  const part = (start: number, room: number, kept: number) => (room === 0 ? kept : (start / room) * 100);
  return focusAt(part(x, image.width - width, lastX), part(y, image.height - height, lastY));
}
