// What the preview of an item shows: the original beside its result, one pair for each page or file.

import { type Format, heldByResults } from '../../domain/formats.ts';
import { frameSize, type Size } from '../../domain/picture.ts';
import { NO_TURN, type Turn, turnedSize } from '../../domain/turns.ts';
import type { ImageInfo } from '../../engine/index.ts';
import type { Item, OutputFile } from '../state/item.ts';

/** An image that the preview shows. */
export interface PreviewImage {
  readonly file: Blob;
  readonly format: Format;
  /** The size of the first image in the file, upright and turned. */
  readonly size: Size;
  readonly turn: Turn;
  /** The page or icon entry, counted from 0; null for the whole file, such as an animation. */
  readonly frame: number | null;
  readonly isAnimated: boolean;
}

/** The original and its result; each is null if it does not exist. */
export interface Pair {
  readonly before: PreviewImage | null;
  readonly after: PreviewImage | null;
}

/**
 * Returns the pairs of an item in their order; none before the header has been read. `turn` is the turn of its next
 * result. A result that is turned otherwise is not shown.
 */
export function pairsOf({ file, info, phase }: Pick<Item, 'file' | 'info' | 'phase'>, turn: Turn = NO_TURN): Pair[] {
  if (info === null) return [];
  const before = (frame: number) => originalOf(file, info, frame, turn);
  if (phase.phase === 'done' && (phase.outputs[0].turn ?? NO_TURN) === turn)
    return phase.outputs.flatMap((output) => resultPairs(output, info, before));
  const isDivided = info.sequence === 'pages' || info.sequence === 'sizes';
  return upTo(isDivided ? info.frames : 1).map((frame) => ({ before: before(frame), after: null }));
}

function originalOf(file: Blob, info: ImageInfo, frame: number, turn: Turn): PreviewImage {
  const isAnimated = info.sequence === 'animation' && info.frames > 1;
  const isDivided = info.frames > 1 && !isAnimated;
  const size = turnedSize(frameSize(info, frame), turn);
  return { file, format: info.format, size, turn, frame: isDivided ? frame : null, isAnimated };
}

function resultPairs(output: OutputFile, info: ImageInfo, before: (frame: number) => PreviewImage): Pair[] {
  const { blob: file, format, frames } = output;
  const size = { width: output.width, height: output.height };
  const holds = heldByResults(format);
  if (holds !== 'pages' || frames === 1) {
    const isAnimated = holds === 'animation' && frames > 1;
    return [{ before: before(output.frame), after: { file, format, size, turn: NO_TURN, frame: null, isAnimated } }];
  }
  // If a damaged page was left out, it is not known which page of the original a page of the result is.
  const isComplete = frames === info.frames;
  return upTo(frames).map((frame) => ({
    before: isComplete ? before(frame) : null,
    after: { file, format, size, turn: NO_TURN, frame, isAnimated: false },
  }));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
