// The search for the best quality at which a file is not larger than a limit. Each attempt encodes the image from its
// source, so the search needs few: it follows a model of the bytes at each quality.

import type { Effort, Subsampling } from './job.ts';

/** The largest number of attempts. */
export const MOST_ATTEMPTS = 6;

/** A file of at least this part of the limit is good enough, and the search aims at the middle of that range. */
const CLOSE = 0.95;
const AIM = 0.975;
/** Without any file below the limit, the search aims lower. */
const CAREFUL_AIM = 0.8;

/** The bytes that libwebp saves by its greatest effort: 1 to 9 % on ten photographs. */
const USUAL_SAVING = 0.04;
/** The usual part of the bytes that a photograph takes with reduced colour. */
const REDUCED_PART = 0.8;
/** From this quality on, colour has its full resolution unless the attempt says otherwise. */
const FULL_COLOR_QUALITY = 90;

/** What an attempt encodes with. */
export interface Attempt {
  /** In steps of a hundredth. */
  readonly quality: number;
  /** Not given if the settings of the job stay. */
  readonly subsampling?: Subsampling;
  readonly effort?: Effort;
}

export interface Search {
  /** The most bytes of the file. */
  readonly limit: number;
  /** The best quality to try. */
  readonly highest: number;
  /** The lowest quality. Default: 1. */
  readonly lowest?: number;
  /**
   * Whether the colour's resolution follows the quality. The bytes then jump at `FULL_COLOR_QUALITY`; higher qualities
   * with reduced colour fill the gap.
   */
  readonly splitsColor?: boolean;
  /** Whether the greatest effort saves bytes at the same quality. It fills a gap between two qualities. */
  readonly savesByEffort?: boolean;
}

interface Known {
  readonly quality: number;
  readonly bytes: number;
}

/**
 * Yields attempts and receives the bytes of each. The best attempt is the largest file within the limit, or else the
 * last one of all, which has the lowest quality.
 */
export function* searchQuality({
  limit,
  highest,
  lowest = 1,
  splitsColor = false,
  savesByEffort = false,
}: Search): Generator<Attempt, void, number> {
  const first = Math.min(FULL_COLOR_QUALITY, highest);
  let last: Known = { quality: first, bytes: yield { quality: first } };
  let previous: Known | null = null;
  let within: Known | null = null;
  let above: Known | null = null;
  const reduces = splitsColor && first === FULL_COLOR_QUALITY && last.bytes > limit;
  // With reduced colour the same quality takes fewer bytes, so it is unknown whether it is above.
  if (reduces) last = { quality: first, bytes: last.bytes * REDUCED_PART };
  else if (last.bytes > limit) above = last;
  else within = last;
  for (let attempts = 1; attempts < MOST_ATTEMPTS; attempts += 1) {
    if (within !== null && (within.bytes >= limit * CLOSE || within.quality >= highest)) return;
    if (above !== null && above.quality <= lowest) return;
    const isLast = attempts === MOST_ATTEMPTS - 1;
    const isLastChance = within === null && isLast;
    const range = { limit, lowest, highest };
    const quality = isLastChance ? lowest : nextQuality({ within, above, last, previous, attempts, ...range });
    // The bytes of neighbouring qualities can differ by a tenth.
    const overGap: Known | null = within !== null && (isLast || quality === null) ? above : null;
    if (savesByEffort && overGap !== null && overGap.bytes * (1 - USUAL_SAVING) <= limit) {
      yield { quality: overGap.quality, effort: 'smallest' };
      return;
    }
    if (quality === null) return;
    const isReduced = reduces && quality >= FULL_COLOR_QUALITY;
    previous = last;
    last = { quality, bytes: yield { quality, ...(isReduced ? { subsampling: 'reduced' } : {}) } };
    if (last.bytes > limit) above = last;
    else within = last;
  }
}

interface State {
  readonly within: Known | null;
  readonly above: Known | null;
  readonly last: Known;
  readonly previous: Known | null;
  readonly limit: number;
  readonly lowest: number;
  readonly highest: number;
  readonly attempts: number;
}

/** Returns the quality to try next; null if no other is left between those that are known. */
function nextQuality({ within, above, last, previous, limit, lowest, highest, attempts }: State): number | null {
  const aim = limit * (within === null && attempts > 2 ? CAREFUL_AIM : AIM);
  const isBetween = within !== null && above !== null;
  const from = isBetween ? nearer(within, above, aim) : last;
  const slope = isBetween
    ? slopeBetween(within, above)
    : previous === null
      ? USUAL_SLOPE
      : slopeBetween(previous, last);
  const predicted = qualityAt(scaleAt(from.quality) * (aim / from.bytes) ** (1 / slope));
  const low = within?.quality ?? lowest;
  const high = above?.quality ?? highest;
  const isInside = predicted > low && predicted < high;
  const middle = qualityAt(Math.sqrt(scaleAt(low) * scaleAt(high)));
  const next = isInside ? predicted : within === null ? lowest : above === null ? highest : middle;
  const quality = Math.round(next * 100) / 100;
  return quality === within?.quality || quality === above?.quality ? null : quality;
}

/** The usual slope of the logarithm of the bytes over that of the scale of the steps. */
const USUAL_SLOPE = -0.7;

function slopeBetween(one: Known, other: Known): number {
  const slope = Math.log(one.bytes / other.bytes) / Math.log(scaleAt(one.quality) / scaleAt(other.quality));
  return Math.min(Math.max(slope, -2), -0.15);
}

function nearer(one: Known, other: Known, aim: number): Known {
  return Math.abs(Math.log(one.bytes / aim)) < Math.abs(Math.log(other.bytes / aim)) ? one : other;
}

/** Keeps the scale of quality 100 above 0. */
const LEAST_SCALE = 0.03;

/** What quality 0 counts as, so that its scale is finite. */
const LEAST_QUALITY = 0.02;

/** Returns the scale of the quantisation steps at a quality (libjpeg's, which libwebp's is similar to). */
function scaleAt(quality: number): number {
  return (quality < 50 ? 50 / Math.max(quality, LEAST_QUALITY) : 2 - quality / 50) + LEAST_SCALE;
}

function qualityAt(scale: number): number {
  const steps = scale - LEAST_SCALE;
  return steps > 1 ? 50 / steps : 100 - 50 * Math.max(0, steps);
}
