// The zoom of the preview as React state.

import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Size } from '../../domain/picture.ts';
import { limited, type Point, type View, wholeView, zoomedAt } from './zoom.ts';

export interface Zoom {
  /** Null until the size of the stage is known. */
  readonly view: View | null;
  /** Whether the whole image is shown. */
  readonly isFit: boolean;
  /** The size of the image on the screen: 1 for one pixel of the screen for each of the image. */
  readonly level: number;
  readonly fit: () => void;
  /** Shows the image at a level; the pixel at `point` stays where it is. */
  readonly setLevel: (level: number, point?: Point) => void;
  readonly zoomBy: (factor: number, point?: Point) => void;
  readonly moveBy: (moved: Point) => void;
}

const MIDDLE: Point = { x: 0, y: 0 };

export function useZoom(stage: RefObject<HTMLElement | null>, image: Size): Zoom {
  const [room, setRoom] = useState<Size | null>(null);
  /** Null as long as the whole image is shown. */
  const [chosen, setChosen] = useState<View | null>(null);
  useLayoutEffect(() => {
    const element = stage.current;
    if (element === null) return;
    const measure = () => setRoom({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [stage]);
  const density = devicePixelRatio;
  const whole = room === null ? null : wholeView(room, image);
  const view = chosen === null || room === null ? whole : limited(chosen, room, image, density);
  const change = (next: (view: View) => View) =>
    setChosen((last) => {
      if (room === null || whole === null) return last;
      const changed = limited(next(last ?? whole), room, image, density);
      return changed.scale === whole.scale ? null : changed;
    });
  return {
    view,
    isFit: chosen === null,
    level: (view?.scale ?? 0) * density,
    fit: () => setChosen(null),
    setLevel: (level, point = MIDDLE) => change((last) => zoomedAt(last, level / density, point)),
    zoomBy: (factor, point = MIDDLE) => change((last) => zoomedAt(last, last.scale * factor, point)),
    moveBy: ({ x, y }) => change(({ scale, middle }) => ({ scale, middle: { x: middle.x + x, y: middle.y + y } })),
  };
}
