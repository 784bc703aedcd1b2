// Loads the images of the preview. The browser shows the formats that it supports, and plays animations; the engine
// makes pictures of pages, and of images that the browser does not support or that are very large.

import { FORMATS } from '../../domain/formats.ts';
import { previewJob } from '../../domain/jobs.ts';
import { areaOf, frameSize, type Size } from '../../domain/picture.ts';
import { NO_TURN, turnedSize } from '../../domain/turns.ts';
import type { Engine } from '../../engine/index.ts';
import { isFailed } from '../../engine/lazy.ts';
import type { Pair, PreviewImage } from './pairs.ts';

/** The largest image that the browser decodes. */
const MAX_PIXELS = 50_000_000;

/** The longest side of a picture that the engine makes. */
const MAX_SIDE = 1600;

/** An image that the browser can show. Its owner revokes the URL. */
export interface LoadedImage {
  readonly url: string;
  readonly blob: Blob;
  /** The size of the image in the file, upright and turned. */
  readonly size: Size;
}

/** The images of a pair; each is null if it does not exist or cannot be shown. */
export interface LoadedPair {
  readonly before: LoadedImage | null;
  readonly after: LoadedImage | null;
}

export async function loadPair(engine: Pick<Engine, 'probe' | 'run'>, { before, after }: Pair): Promise<LoadedPair> {
  const load = (image: PreviewImage | null) => (image === null ? null : loadImage(engine, image));
  const [first, second] = await Promise.all([load(before), load(after)]);
  return { before: first, after: second };
}

export function revoke({ before, after }: LoadedPair): void {
  for (const image of [before, after]) if (image !== null) URL.revokeObjectURL(image.url);
}

async function loadImage(engine: Pick<Engine, 'probe' | 'run'>, image: PreviewImage): Promise<LoadedImage | null> {
  const { file, format, frame, size, turn } = image;
  const isForBrowser = frame === null && turn === NO_TURN && areaOf(size) <= MAX_PIXELS;
  const shown = isForBrowser ? await decoded(file.slice(0, file.size, FORMATS[format].mime), size) : null;
  return shown ?? (await drawn(engine, image));
}

/** Resolves to the image if the browser can decode it, else to null. */
async function decoded(blob: Blob, size: Size): Promise<LoadedImage | null> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return { url, blob, size };
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
}

/** Makes a smaller picture in the engine. */
async function drawn({ probe, run }: Pick<Engine, 'probe' | 'run'>, image: PreviewImage): Promise<LoadedImage | null> {
  const { file, frame, turn } = image;
  const info = await probe(file);
  if (isFailed(info)) return null;
  const size = turnedSize(frameSize(info, frame ?? 0), turn);
  const job = previewJob(info, reduced(size), frame ?? 0, turn);
  const result = await run(file, job, { isUrgent: true });
  return isFailed(result) ? null : decoded(result.blob, size);
}

/** Returns the size whose longer side is at most `MAX_SIDE`. */
function reduced({ width, height }: Size): Size {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
