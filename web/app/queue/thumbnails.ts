// Small pictures for the rows that can be seen. The browser decodes them, never for the pixel path: a canvas that is only
// looked at cannot spoil a result. A 24-megapixel photograph takes about 100 MB while it is decoded, so few are at a
// time, huge ones stay without a picture, and what has scrolled away is not begun.

import { uprightSize } from '../../domain/job.ts';
import type { Item, ItemId } from './item.ts';

/** Twice the 56 CSS pixels of a row, for dense screens. */
export const THUMBNAIL_PIXELS = 112;

/** Rows this near are prepared before they are scrolled to. */
const AHEAD = '240px 0px';

const AT_A_TIME = 2;
const MOST_PIXELS = 50_000_000;
/** 112 × 112 × 4 bytes each: about 10 MB. */
const MOST_KEPT = 200;

interface Wish {
  readonly item: Item;
  readonly signal: AbortSignal;
  readonly answer: (bitmap: ImageBitmap | null) => void;
}

export class Thumbnails {
  /** In the order of last use, the oldest first. */
  readonly #kept = new Map<ItemId, ImageBitmap | null>();
  readonly #wishes: Wish[] = [];
  readonly #watched = new Map<Element, (visible: boolean) => void>();
  #observer: IntersectionObserver | null = null;
  #active = 0;

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

  /** The picture, or null where the browser cannot make one or nobody wants it any more. */
  ask(item: Item, signal: AbortSignal): Promise<ImageBitmap | null> {
    const kept = this.#kept.get(item.id);
    if (kept !== undefined) {
      this.#keep(item.id, kept);
      return Promise.resolve(kept);
    }
    return new Promise((answer) => {
      this.#wishes.push({ item, signal, answer });
      this.#next();
    });
  }

  #next(): void {
    while (this.#active < AT_A_TIME) {
      const wish = this.#wishes.shift();
      if (wish === undefined) return;
      if (wish.signal.aborted) wish.answer(null);
      else void this.#make(wish);
    }
  }

  async #make({ item, answer }: Wish): Promise<void> {
    this.#active += 1;
    const bitmap = await decode(item);
    this.#keep(item.id, bitmap);
    answer(bitmap);
    this.#active -= 1;
    this.#next();
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

/** So small that its shorter side fills the square. */
async function decode({ file, info }: Item): Promise<ImageBitmap | null> {
  if (info === null || info.width * info.height > MOST_PIXELS) return null;
  const { width, height } = uprightSize(info);
  const short = Math.min(THUMBNAIL_PIXELS, width, height);
  try {
    return await createImageBitmap(file, {
      ...(width < height ? { resizeWidth: short } : { resizeHeight: short }),
      resizeQuality: 'medium',
    });
  } catch {
    return null;
  }
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
