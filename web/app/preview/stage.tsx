// The stage: the original and the result on top of each other, with a slider that moves the line between them. Dragging
// moves the line, or the images where they are larger than the stage.

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useWords } from '../../i18n/index.ts';
import { type GestureListener, listenForGestures } from './gestures.ts';
import type { LoadedImage, LoadedPair } from './load.ts';
import { Picture } from './picture.tsx';
import styles from './preview.module.css';
import type { Zoom } from './use-zoom.ts';
import type { Point } from './zoom.ts';

/** The distance from the line, in pixels, in which dragging moves the line of an enlarged image. */
const NEAR = 24;
/** The pixels by which an arrow key moves an enlarged image. */
const STEP = 64;
/** The level from which the pixels of an image are shown as squares. */
const SQUARES_FROM = 2;

interface StageProps {
  readonly loaded: LoadedPair;
  readonly zoom: Zoom;
  readonly stage: RefObject<HTMLDivElement | null>;
  /** Whether only the first frame of animations is shown. */
  readonly isStill: boolean;
  /** The frame around an area of the original. */
  readonly frame: ReactNode;
}

export function Stage({ loaded: { before, after }, zoom, stage, isStill, frame }: StageProps) {
  const { t } = useWords();
  const [share, setShare] = useState(50);
  const images = useRef<HTMLDivElement>(null);
  const image = after ?? before;
  const hasBoth = before !== null && after !== null;
  useGestures(stage, { zoom, share, hasLine: hasBoth, setShare, width: image?.size.width ?? 0 });
  const { view, level, isFit } = zoom;
  useLayoutEffect(() => {
    const style = images.current?.style;
    style?.setProperty('--width', `${(view?.scale ?? 0) * (image?.size.width ?? 0)}px`);
    style?.setProperty('--height', `${(view?.scale ?? 0) * (image?.size.height ?? 0)}px`);
    style?.setProperty('--x', `${view?.middle.x ?? 0}px`);
    style?.setProperty('--y', `${view?.middle.y ?? 0}px`);
    style?.setProperty('--share', `${share}%`);
  }, [view, image, share]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={stage}
      className={styles.stage}
      data-fit={isFit}
      role="group"
      // An enlarged image can be moved with the arrow keys.
      {...(isFit ? {} : { tabIndex: 0, 'aria-label': t('preview.move') })}
      onKeyDown={(event) => {
        const moved = isFit ? undefined : movedBy(event);
        if (moved === undefined) return;
        event.preventDefault();
        zoom.moveBy(moved);
      }}
    >
      <div
        ref={images}
        className={styles.images}
        data-shape={hasBoth && !isAlike(before, after) ? 'other' : 'same'}
        data-squares={level >= SQUARES_FROM}
      >
        {after === null ? null : <Picture image={after} alt={t('preview.after')} isStill={isStill} />}
        {before === null ? null : <Picture image={before} alt={t('preview.before')} isStill={isStill} isBefore />}
        {frame}
        {hasBoth ? <Slider share={share} onShare={setShare} /> : null}
      </div>
    </div>
  );
}

interface SliderProps {
  /** The part of the area that shows the original, in percent. */
  readonly share: number;
  readonly onShare: (share: number) => void;
}

/** The slider for the keyboard and for screen readers, and the line, which pointers drag. */
function Slider({ share, onShare }: SliderProps) {
  const { t } = useWords();
  return (
    <>
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={t('preview.slider')}
        aria-valuetext={t('preview.share', { share: Math.round(share) / 100 })}
        onChange={(event) => onShare(event.currentTarget.valueAsNumber)}
      />
      <span className={styles.line} />
    </>
  );
}

interface GestureState {
  readonly zoom: Zoom;
  readonly share: number;
  readonly hasLine: boolean;
  readonly setShare: (share: number) => void;
  /** The width of the image in its own pixels. */
  readonly width: number;
}

/** Lets pointers move the line, and move and zoom the images. */
function useGestures(stage: RefObject<HTMLElement | null>, state: GestureState): void {
  const latest = useRef(state);
  useLayoutEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    const element = stage.current;
    return element === null ? undefined : listenForGestures(element, listenerFor(latest));
  }, [stage]);
}

function listenerFor(latest: RefObject<GestureState>): GestureListener {
  let dragsLine = false;
  const edges = () => {
    const { zoom, width } = latest.current;
    const shown = (zoom.view?.scale ?? 0) * width;
    return { left: (zoom.view?.middle.x ?? 0) - shown / 2, shown };
  };
  const moveLine = ({ x }: Point) => {
    const { left, shown } = edges();
    const share = Math.round(((x - left) / shown) * 100);
    latest.current.setShare(Math.min(Math.max(share, 0), 100));
  };
  return {
    onDragStart: (point) => {
      const { zoom, share, hasLine } = latest.current;
      const { left, shown } = edges();
      dragsLine = hasLine && (zoom.isFit || Math.abs(left + (shown * share) / 100 - point.x) <= NEAR);
      if (dragsLine) moveLine(point);
    },
    onDrag: (point, moved) => {
      if (dragsLine) moveLine(point);
      else latest.current.zoom.moveBy(moved);
    },
    onZoom: (factor, point, moved) => {
      latest.current.zoom.zoomBy(factor, point);
      latest.current.zoom.moveBy(moved);
    },
    onDoubleClick: (point) => {
      const { zoom } = latest.current;
      if (zoom.isFit) zoom.setLevel(1, point);
      else zoom.fit();
    },
  };
}

/** Returns by how much an arrow key on the stage moves the images: towards the part that the arrow points to. */
function movedBy({ key, target, currentTarget }: KeyboardEvent): Point | undefined {
  if (target !== currentTarget) return undefined;
  const ways: Readonly<Record<string, Point>> = {
    ArrowLeft: { x: STEP, y: 0 },
    ArrowRight: { x: -STEP, y: 0 },
    ArrowUp: { x: 0, y: STEP },
    ArrowDown: { x: 0, y: -STEP },
  };
  return ways[key];
}

/** Whether both images have the same proportions, but for rounding to whole pixels. */
function isAlike(before: LoadedImage, after: LoadedImage): boolean {
  const [one, other] = [before.size, after.size];
  const difference = Math.abs(one.width * other.height - one.height * other.width);
  return difference <= Math.max(one.width, one.height);
}
