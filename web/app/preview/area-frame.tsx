// The frame around an area of the image. It is moved by dragging it or with the arrow keys, and its corners and edges can
// be dragged if it has handles.

import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { HANDLES, type Handle, MOVE } from '../../domain/crops.ts';
import type { Rect } from '../../domain/job.ts';
import type { Size } from '../../domain/picture.ts';
import styles from './preview.module.css';
import type { Point } from './zoom.ts';

interface AreaFrameProps {
  readonly image: Size;
  /** The framed area, in pixels of the image. */
  readonly area: Rect;
  readonly label: string;
  readonly hasHandles: boolean;
  /** `way` is the way of the handle, in pixels of the image, since the area was `start`. */
  readonly onDrag: (start: Rect, handle: Handle, way: Point) => void;
  /** Called when the pointer or the key has done. */
  readonly onEnd?: () => void;
}

export function AreaFrame(props: AreaFrameProps) {
  const { image, area, label, hasHandles, onDrag, onEnd } = props;
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  useDrag(frame, props);
  useLayoutEffect(() => {
    const style = place.current?.style;
    style?.setProperty('--area-x', `${(area.x / image.width) * 100}%`);
    style?.setProperty('--area-y', `${(area.y / image.height) * 100}%`);
    style?.setProperty('--area-width', `${(area.width / image.width) * 100}%`);
    style?.setProperty('--area-height', `${(area.height / image.height) * 100}%`);
  });
  const press = (event: KeyboardEvent) => {
    const way = wayOf(event, image);
    if (way === null) return;
    event.preventDefault();
    onDrag(area, MOVE, way);
    onEnd?.();
  };
  const isWhole = area.width === image.width && area.height === image.height;
  return (
    <div ref={place} className={styles.areas}>
      <span className={styles.shade} aria-hidden="true" />
      <div
        ref={frame}
        className={styles.area}
        data-whole={isWhole}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move it
        tabIndex={0}
        aria-label={label}
        onKeyDown={press}
      >
        {hasHandles
          ? HANDLES.map(({ x, y }) => <span key={`${x} ${y}`} className={styles.handle} data-x={x} data-y={y} />)
          : null}
      </div>
    </div>
  );
}

/** The steps of an arrow key: a hundredth of the image's longer side, or a pixel with Shift. */
const STEPS = 100;

function wayOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, { width, height }: Size): Point | null {
  if (ctrlKey || metaKey || altKey) return null;
  const step = shiftKey ? 1 : Math.max(1, Math.round(Math.max(width, height) / STEPS));
  const ways: Readonly<Record<string, Point>> = {
    ArrowLeft: { x: -step, y: 0 },
    ArrowRight: { x: step, y: 0 },
    ArrowUp: { x: 0, y: -step },
    ArrowDown: { x: 0, y: step },
  };
  return ways[key] ?? null;
}

/** Lets a pointer drag the frame or one of its handles. The stage does not see this pointer. */
function useDrag(frame: { readonly current: HTMLElement | null }, props: AreaFrameProps): void {
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const abort = new AbortController();
    const { signal } = abort;
    let drag: { readonly pointer: number; readonly from: Point; readonly handle: Handle; readonly area: Rect } | null =
      null;
    element.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        if (drag !== null) return;
        element.setPointerCapture(event.pointerId);
        const from = { x: event.clientX, y: event.clientY };
        drag = { pointer: event.pointerId, from, handle: handleOf(event.target), area: latest.current.area };
      },
      { signal },
    );
    element.addEventListener(
      'pointermove',
      ({ pointerId, clientX, clientY }) => {
        if (drag?.pointer !== pointerId) return;
        const { image, onDrag } = latest.current;
        const shown = element.parentElement?.getBoundingClientRect().width ?? 0;
        const scale = shown === 0 ? 0 : image.width / shown;
        const way = { x: (clientX - drag.from.x) * scale, y: (clientY - drag.from.y) * scale };
        onDrag(drag.area, drag.handle, way);
      },
      { signal },
    );
    const end = ({ pointerId }: PointerEvent) => {
      if (drag?.pointer !== pointerId) return;
      drag = null;
      latest.current.onEnd?.();
    };
    element.addEventListener('pointerup', end, { signal });
    element.addEventListener('pointercancel', end, { signal });
    return () => abort.abort();
  }, [frame]);
}

function handleOf(target: EventTarget | null): Handle {
  const { x, y } = target instanceof HTMLElement ? target.dataset : {};
  return HANDLES.find((handle) => String(handle.x) === x && String(handle.y) === y) ?? MOVE;
}
