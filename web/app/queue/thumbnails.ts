// Thumbnails of the visible rows. The browser decodes the formats that it supports; the engine handles the others, such
// as TIFF, and large JPEGs, which it decodes row by row at an eighth of their size. A browser takes about 100 MB for a
// photograph of 24 megapixels. So only a few images are decoded at a time, other very large ones have no thumbnail, and
// rows that were scrolled away are skipped.

import { FORMATS } from '../../domain/formats.ts';
import { previewJob } from '../../domain/jobs.ts';
import { type Size, uprightSize } from '../../domain/picture.ts';
import type { Engine, ImageInfo } from '../../engine/index.ts';
import { isFailed } from '../../engine/lazy.ts';
import type { Item, ItemId } from '../state/item.ts';
import { Visibility } from '../ui/index.ts';

/** Twice the 56 CSS pixels of a row, for dense screens. */
export const THUMBNAIL_PIXELS = 112;

/** Rows within this distance of the screen count as visible. */
const MARGIN = '240px 0px';

const MAX_CONCURRENCY = 2;
const MAX_PIXELS = 50_000_000;
/** Above this size the engine decodes the formats that it can decode at a fraction of their size. */
const MAX_PIXELS_WHOLE = 12_000_000;
/** The number of cached thumbnails: 112 × 112 × 4 bytes each, about 10 MB in total. */
const MAX_CACHED = 200;

/** The properties of an item that its thumbnail depends on. */
export type ThumbnailSource = Pick<Item, 'id' | 'file' | 'info'>;

interface ThumbnailRequest {
  readonly source: ThumbnailSource;
  readonly signal: AbortSignal;
  readonly answer: (bitmap: ImageBitmap | null) => void;
}

export class Thumbnails {
  /** The visibility of the rows; rows near the screen count as visible. */
  readonly visibility = new Visibility(MARGIN);
  readonly #run: Engine['run'];
  /** Thumbnails from the least to the most recently used one; null for images without a thumbnail. */
  readonly #cache = new Map<ItemId, ImageBitmap | null>();
  readonly #requests: ThumbnailRequest[] = [];
  #active = 0;

  constructor(run: Engine['run']) {
    this.#run = run;
  }

  /** Resolves to the thumbnail, or to null if the image has none or the signal aborts before its turn. */
  request(source: ThumbnailSource, signal: AbortSignal): Promise<ImageBitmap | null> {
    const cached = this.#cache.get(source.id);
    if (cached !== undefined) {
      this.#remember(source.id, cached);
      return Promise.resolve(cached);
    }
    return new Promise((answer) => {
      this.#requests.push({ source, signal, answer });
      this.#next();
    });
  }

  #next(): void {
    while (this.#active < MAX_CONCURRENCY) {
      const request = this.#requests.shift();
      if (request === undefined) return;
      if (request.signal.aborted) request.answer(null);
      else void this.#make(request);
    }
  }

  async #make({ source, answer }: ThumbnailRequest): Promise<void> {
    this.#active += 1;
    const inBrowser = readsReduced(source.info) ? null : await decode(source);
    const bitmap = inBrowser ?? (await this.#resize(source));
    this.#remember(source.id, bitmap);
    answer(bitmap);
    this.#active -= 1;
    this.#next();
  }

  /**
   * Makes the thumbnail in the engine. Aborting the request does not abort the job, because that would end a warm
   * worker.
   */
  async #resize({ file, info }: ThumbnailSource): Promise<ImageBitmap | null> {
    if (info === null || isHuge(info)) return null;
    const result = await this.#run(file, previewJob(info, small(uprightSize(info))), { isUrgent: true });
    return isFailed(result) ? null : createImageBitmap(result.blob).catch(() => null);
  }

  #remember(id: ItemId, bitmap: ImageBitmap | null): void {
    this.#cache.delete(id);
    this.#cache.set(id, bitmap);
    if (this.#cache.size <= MAX_CACHED) return;
    const [oldest] = this.#cache;
    if (oldest === undefined) return;
    oldest[1]?.close();
    this.#cache.delete(oldest[0]);
  }
}

/** Lets the browser decode the file; resolves to null if it cannot. */
function decode({ file, info }: ThumbnailSource): Promise<ImageBitmap | null> {
  if (info === null || isHuge(info)) return Promise.resolve(null);
  const upright = uprightSize(info);
  const { width, height } = small(upright);
  // One side only: the browser computes the other side, also for rotated images.
  const side = upright.width < upright.height ? { resizeWidth: width } : { resizeHeight: height };
  return createImageBitmap(file, { ...side, resizeQuality: 'medium' }).catch(() => null);
}

/** Whether the engine decodes the image at a fraction of its size. */
const readsReduced = (info: ImageInfo | null) =>
  info !== null && FORMATS[info.format].readsReduced === true && info.width * info.height > MAX_PIXELS_WHOLE;

/** Whether the image would have to be decoded whole and is too large for that. */
const isHuge = (info: ImageInfo) => info.width * info.height > MAX_PIXELS && !readsReduced(info);

/** Returns the size whose shorter side fills the square, at most the size of the image. */
function small({ width, height }: Size): Size {
  const scale = Math.min(1, THUMBNAIL_PIXELS / Math.min(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
