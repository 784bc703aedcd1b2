// The arithmetic of zooming and moving an image in its stage. Lengths are CSS pixels. Points and offsets are measured
// from the middle of the stage.

import type { Size } from '../../domain/picture.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The part of the image that the stage shows. */
export interface View {
  /** The CSS pixels of one pixel of the image. */
  readonly scale: number;
  /** The middle of the image. */
  readonly middle: Point;
}

/** The largest number of screen pixels for one pixel of the image. */
const MAX_ZOOM = 8;
/** The longest side of a zoomed image; browsers draw longer ones incompletely. */
const MAX_SIDE = 30_000;

/** Returns the scale at which the whole image fills the stage. */
export function fitScale(stage: Size, image: Size): number {
  return Math.min(stage.width / image.width, stage.height / image.height);
}

/** Returns the view with the whole image. */
export function wholeView(stage: Size, image: Size): View {
  return { scale: fitScale(stage, image), middle: { x: 0, y: 0 } };
}

/** Returns the view at another scale in which the image's pixel at `point` stays where it is. */
export function zoomedAt({ scale, middle }: View, next: number, point: Point): View {
  const ratio = next / scale;
  return {
    scale: next,
    middle: { x: point.x + (middle.x - point.x) * ratio, y: point.y + (middle.y - point.y) * ratio },
  };
}

/** Returns the view within its limits: no empty edge where the image is larger than the stage, and no extreme scale. */
export function limited(view: View, stage: Size, image: Size, density: number): View {
  const least = Math.min(fitScale(stage, image), 1 / density);
  const most = Math.max(least, Math.min(MAX_ZOOM / density, MAX_SIDE / Math.max(image.width, image.height)));
  const scale = Math.min(Math.max(view.scale, least), most);
  const { middle } = scale === view.scale ? view : zoomedAt(view, scale, { x: 0, y: 0 });
  const limit = (offset: number, side: number, room: number) => {
    const most = Math.max(0, (side * scale - room) / 2);
    return Math.min(Math.max(offset, -most), most);
  };
  return {
    scale,
    middle: { x: limit(middle.x, image.width, stage.width), y: limit(middle.y, image.height, stage.height) },
  };
}
