// Estimates the memory that a job holds, from the header alone. The pool admits jobs by this estimate, and the core
// enforces it.

import { FORMATS } from './formats.ts';
import type { Coding, Part, Ringing } from './job.ts';
import { areaOf, frameSize, type Picture } from './picture.ts';
import type { ResizePlan } from './plan.ts';
import { NO_TURN, turnThen } from './turns.ts';

const MIB = 1 << 20;

/** The size of one working pixel of the resampler: four 32-bit floats. */
const WORKING_PIXEL_BYTES = 16;
/** The largest number of rows in use at once: output rows when shrinking, source rows when enlarging. */
const LIVE_ROWS = 8;
/** The rows of the result that limited ringing adds: the smallest and the largest sample under each row in use. */
const LIMIT_ROWS = 32;
/** The bytes per pixel of a gain map that another worker decodes, and the most that it can take. */
const GAIN_MAP = { bytesPerPixel: 2, max: 32 * MIB };
/** Encoder tables, two windows of the file, small buffers, and a margin for errors of the estimate. */
const FIXED_BYTES = 24 * MIB;

/** The size of 32-bit linear memory, the maximum for a worker. */
export const ADDRESSABLE_BYTES = 4096 * MIB;

type Output = Pick<ResizePlan, 'files' | 'format'> & { readonly coding?: Coding; readonly ringing?: Ringing };

/** Returns an upper estimate of the bytes that the job holds at once, limited to the address space of a worker. */
export function jobMemory(picture: Picture, { files, format, coding = 'baseline', ringing = 'kept' }: Output): number {
  return Math.max(...files.flat().map((part) => partMemory(picture, part, { format, coding, ringing })));
}

/** Returns the memory for one image. Decoding a page larger than the first takes proportionally more. */
function partMemory(
  picture: Picture,
  { frame, target, canvas, turn = NO_TURN }: Part,
  output: Required<Omit<Output, 'files'>>,
): number {
  const growth = Math.max(1, areaOf(frameSize(picture, frame)) / Math.max(1, areaOf(picture)));
  const workingSet = picture.workingSet * growth;
  const { width, height } = canvas?.size ?? target;
  // Rows are resampled as stored: a row of the result may be a column of the upright image.
  const rows = (picture.width + Math.max(width, height)) * WORKING_PIXEL_BYTES * LIVE_ROWS;
  const limits = output.ringing === 'kept' ? 0 : Math.max(width, height) * WORKING_PIXEL_BYTES * LIMIT_ROWS;
  // An image that is rotated (not only mirrored) is held whole at its target size, with up to four channels as stored.
  const turned =
    turnThen(picture.orientation, turn) <= 2 ? 0 : target.width * target.height * (picture.depth > 8 ? 8 : 4);
  // Later frames of an animation are made from the picture before, which is kept.
  const kept = frame === 0 ? 0 : width * height * 4;
  const { bytesPerPixel, max, progressive = 0, deep = 0, onlyFromPalette } = FORMATS[output.format].encoder.memory;
  const whole = (output.coding === 'baseline' ? 0 : progressive) + (picture.depth > 8 ? deep : 0);
  const held = onlyFromPalette && !picture.hasPalette ? 0 : Math.min(width * height * bytesPerPixel, max);
  const encoded = held + width * height * whole;
  const hasGainMap = picture.hasGainMap && FORMATS[output.format].encoder.holdsGainMap === true;
  const gainMap = hasGainMap ? Math.min(areaOf(picture) * GAIN_MAP.bytesPerPixel, GAIN_MAP.max) : 0;
  return Math.min(workingSet + rows + limits + turned + kept + encoded + gainMap + FIXED_BYTES, ADDRESSABLE_BYTES);
}
