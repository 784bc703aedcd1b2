// Small pictures for the rows that can be seen. The browser decodes what it can, never for the pixel path: a canvas that is
// only looked at cannot spoil a result. A 24-megapixel photograph takes about 100 MB while it is decoded, so few are at a
// time, huge ones stay without a picture, and what has scrolled away is not begun. What the browser cannot decode, most of
// them every TIFF, the engine makes small.

import { previewJob } from '../../domain/jobs.ts';
import { type Size, uprightSize } from '../../domain/picture.ts';
import { type Engine, type ImageInfo, isFailed } from '../../engine/index.ts';
import type { Item, ItemId } from '../state/item.ts';

/** Twice the 56 CSS pixels of a row, for dense screens. */
export const THUMBNAIL_PIXELS = 112;

/** Rows this near are prepared before they are scrolled to. */
const AHEAD = '240px 0px';

const AT_A_TIME = 2;
const MOST_PIXELS = 50_000_000;
/** 112 × 112 × 4 bytes each: about 10 MB. */
const MOST_KEPT = 200;

interface ThumbnailRequest {
  readonly item: Item;
  readonly signal: AbortSignal;
  readonly answer: (bitmap: ImageBitmap | null) => void;
}

export class Thumbnails {
  readonly #run: Engine['run'];
  /** In the order of last use, the oldest first. */
  readonly #kept = new Map<ItemId, ImageBitmap | null>();
  readonly #requests: ThumbnailRequest[] = [];
  readonly #watched = new Map<Element, (visible: boolean) => void>();
  #observer: IntersectionObserver | null = null;
  #active = 0;

  constructor(run: Engine['run']) {
    this.#run = run;
  }

  /** Tells whenever an element comes near the screen or leaves it, until the returned function is called. */
  watch(element: Element, tell: (visible: boolean) => void): () => void {
    // One observer for all: a thousand of them take seconds to make.
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) this.#watched.get(target)?.(isIntersecting);
      },
      { rootMargin: AHEAD },
    );
    const observer = this.#observer;
    this.#watched.set(element, tell);
    observer.observe(element);
    return () => {
      this.#watched.delete(element);
      observer.unobserve(element);
    };
  }

  /** The picture, or null where none can be made or nobody wants it any more. */
  ask(item: Item, signal: AbortSignal): Promise<ImageBitmap | null> {
    const kept = this.#kept.get(item.id);
    if (kept !== undefined) {
      this.#keep(item.id, kept);
      return Promise.resolve(kept);
    }
    return new Promise((answer) => {
      this.#requests.push({ item, signal, answer });
      this.#next();
    });
  }

  #next(): void {
    while (this.#active < AT_A_TIME) {
      const request = this.#requests.shift();
      if (request === undefined) return;
      if (request.signal.aborted) request.answer(null);
      else void this.#make(request);
    }
  }

  async #make({ item, answer }: ThumbnailRequest): Promise<void> {
    this.#active += 1;
    const bitmap = (await decode(item)) ?? (await this.#shrink(item));
    this.#keep(item.id, bitmap);
    answer(bitmap);
    this.#active -= 1;
    this.#next();
  }

  /** Goes on when nobody wants it any more: calling it off would cost the engine a worker that is warm. */
  async #shrink({ file, info }: Item): Promise<ImageBitmap | null> {
    if (info === null || isHuge(info)) return null;
    const result = await this.#run(file, previewJob(info, small(uprightSize(info))));
    return isFailed(result) ? null : createImageBitmap(result.blob).catch(() => null);
  }

  #keep(id: ItemId, bitmap: ImageBitmap | null): void {
    this.#kept.delete(id);
    this.#kept.set(id, bitmap);
    if (this.#kept.size <= MOST_KEPT) return;
    const [oldest] = this.#kept;
    if (oldest === undefined) return;
    oldest[1]?.close();
    this.#kept.delete(oldest[0]);
  }
}

function decode({ file, info }: Item): Promise<ImageBitmap | null> {
  if (info === null || isHuge(info)) return Promise.resolve(null);
  const upright = uprightSize(info);
  const { width, height } = small(upright);
  // One side only: the browser finds the other, whichever way the picture is turned.
  const side = upright.width < upright.height ? { resizeWidth: width } : { resizeHeight: height };
  return createImageBitmap(file, { ...side, resizeQuality: 'medium' }).catch(() => null);
}

const isHuge = ({ width, height }: ImageInfo) => width * height > MOST_PIXELS;

/** So small that the shorter side fills the square. */
function small({ width, height }: Size): Size {
  const scale = Math.min(1, THUMBNAIL_PIXELS / Math.min(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Fills a square canvas with the middle of the picture. */
export function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const side = Math.min(bitmap.width, bitmap.height);
  const x = (bitmap.width - side) / 2;
  const y = (bitmap.height - side) / 2;
  canvas.width = THUMBNAIL_PIXELS;
  canvas.height = THUMBNAIL_PIXELS;
  canvas.getContext('2d')?.drawImage(bitmap, x, y, side, side, 0, 0, THUMBNAIL_PIXELS, THUMBNAIL_PIXELS);
}

/** Lets go of the canvas' memory. */
export function erase(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
