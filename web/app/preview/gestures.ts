// Pointer gestures on the stage of the preview: dragging, pinching with two fingers, the wheel, a double click. Points are
// measured from the middle of the element.

import type { Point } from './zoom.ts';

export interface GestureListener {
  onDragStart(point: Point): void;
  /** `moved` is the way since the last call. */
  onDrag(point: Point, moved: Point): void;
  /** The image is enlarged by `factor` at `point`, which moved by `moved` since the last call. */
  onZoom(factor: number, point: Point, moved: Point): void;
  onDoubleClick(point: Point): void;
}

/** The part of the logarithm of a scale for one pixel of the wheel, and of a pinch on a trackpad. */
const WHEEL_SPEED = 0.002;
const TRACKPAD_PINCH_SPEED = 0.01;
/** The pixels of one line, for wheels that count in lines. */
const LINE = 16;

/** The milliseconds and the pixels within which a second press belongs to the first one. */
const DOUBLE_TIME = 400;
const DOUBLE_DISTANCE = 16;

const STILL: Point = { x: 0, y: 0 };

/** Calls the listener until the returned function is called. */
export function listenForGestures(element: HTMLElement, listener: GestureListener): () => void {
  const abort = new AbortController();
  const pointers = new Map<number, Point>();
  let last = { time: Number.NEGATIVE_INFINITY, point: STILL };
  const place = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const on = <K extends keyof HTMLElementEventMap>(type: K, listen: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(type, listen, { signal: abort.signal, passive: false });
  const end = ({ pointerId }: PointerEvent) => void pointers.delete(pointerId);

  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    const point = place(event);
    pointers.set(event.pointerId, point);
    if (pointers.size > 1) return;
    // Not `dblclick`, which Firefox and phones do not report everywhere.
    const isSecond = event.timeStamp - last.time < DOUBLE_TIME && distance(point, last.point) < DOUBLE_DISTANCE;
    last = isSecond ? { time: Number.NEGATIVE_INFINITY, point } : { time: event.timeStamp, point };
    if (isSecond) listener.onDoubleClick(point);
    else listener.onDragStart(point);
  });
  on('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = place(event);
    const [other] = [...pointers].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    pointers.set(event.pointerId, now);
    if (other === undefined) listener.onDrag(now, between(before, now));
    else
      listener.onZoom(distance(now, other) / distance(before, other), middle(now, other), half(between(before, now)));
  });
  on('pointerup', end);
  on('pointercancel', end);
  on('wheel', (event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1);
    // Browsers report a pinch on a trackpad as a wheel with ctrl.
    const speed = event.ctrlKey ? TRACKPAD_PINCH_SPEED : WHEEL_SPEED;
    listener.onZoom(Math.exp(-pixels * speed), place(event), STILL);
  });
  return () => abort.abort();
}

const between = (from: Point, to: Point): Point => ({ x: to.x - from.x, y: to.y - from.y });
const half = ({ x, y }: Point): Point => ({ x: x / 2, y: y / 2 });
const middle = (one: Point, other: Point): Point => half({ x: one.x + other.x, y: one.y + other.y });
/** At least 1, so that the quotient of two distances is a number. */
const distance = (one: Point, other: Point): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
