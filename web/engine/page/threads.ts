// Decides which jobs run in two workers: one decodes the picture, the other resamples and encodes it.

import { FORMATS } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import { areaOf, type Picture } from '../../domain/picture.ts';

/** The smallest picture that is worth a second worker, in pixels: the start of a worker takes about 20 ms. */
export const LEAST_PIXELS = 2_000_000;

/**
 * Whether a second worker can make a job shorter: the file is one picture, which takes long to decode. The rows between
 * the workers go forwards only, so files with several pictures stay in one worker, and so do jobs that decode fewer
 * pixels, because the decoder's worker does not know the target.
 */
export function canDecodeApart(picture: Picture, job: ResizeJob): boolean {
  const isSlow = FORMATS[picture.format].decodesSlowly === true && job.decoding !== 'fast';
  return isSlow && picture.frames === 1 && job.parts.length === 1 && areaOf(picture) >= LEAST_PIXELS;
}

/** The use of the processors when a job starts. */
export interface Load {
  /** The number of processors to use. */
  readonly processors: number;
  /** The workers of the running jobs, without the one that starts. */
  readonly busy: number;
  /** The jobs that wait behind the one that starts. */
  readonly waiting: number;
}

/** Whether the starting job may use a second worker: fewer jobs wait than processors stay free. */
export function hasFreeProcessor({ processors, busy, waiting }: Load): boolean {
  return waiting < processors - busy - 1;
}
