// An estimate of the memory that a job holds, from the header alone: the pool admits jobs by it, and the core enforces
// it.

import { FORMATS, type WritableFormat } from './formats.ts';
import type { Part } from './job.ts';
import { areaOf, frameSize, type Picture } from './picture.ts';
import type { ResizePlan } from './plan.ts';

const MIB = 1 << 20;

/** Four 32-bit floats: one working pixel of the resampler. */
const WORKING_PIXEL_BYTES = 16;
/** The most output rows in use at once while shrinking, and source rows while enlarging. */
const LIVE_ROWS = 8;
/** Encoder tables, two windows of the file, small buffers, and a reserve for errors of the estimate. */
const FIXED_BYTES = 24 * MIB;

/** The size of 32-bit linear memory: no worker can have more. */
const ADDRESSABLE_BYTES = 4096 * MIB;

/** Bytes that the job holds at once, an upper estimate; never more than a worker can have. */
export function jobMemory(picture: Picture, { files, format }: Pick<ResizePlan, 'files' | 'format'>): number {
  return Math.max(...files.flat().map((part) => partMemory(picture, part, format)));
}

/** The same for one image; decoding a page larger than the first takes proportionally more. */
function partMemory(picture: Picture, { frame, target, canvas }: Part, format: WritableFormat): number {
  const growth = Math.max(1, areaOf(frameSize(picture, frame)) / Math.max(1, areaOf(picture)));
  const workingSet = picture.workingSet * growth;
  const { width, height } = canvas?.size ?? target;
  // Rows are resampled as stored: a row of the result may be a column of the upright image.
  const rows = (picture.width + Math.max(width, height)) * WORKING_PIXEL_BYTES * LIVE_ROWS;
  // An image that is rotated, not only mirrored, is held whole at its target size, with up to four channels as stored.
  const turned = picture.orientation <= 2 ? 0 : target.width * target.height * (picture.depth > 8 ? 8 : 4);
  const { bytesPerPixel, max } = FORMATS[format].encoder.memory;
  const encoded = Math.min(width * height * bytesPerPixel, max);
  return Math.min(workingSet + rows + turned + encoded + FIXED_BYTES, ADDRESSABLE_BYTES);
}

/** The value for browsers that do not tell. */
const USUAL_DEVICE_GIB = 4;
const LEAST_BUDGET = 256 * MIB;
const LARGEST_BUDGET = 2048 * MIB;

/**
 * Bytes that all running jobs together may hold: a quarter of the device's memory, since the browser, the page and the
 * finished results need the rest. At most 2 GiB, half of what 32-bit linear memory can address.
 * `deviceGib` is `navigator.deviceMemory`, where the browser has it.
 */
export function memoryBudget(deviceGib: number | undefined): number {
  const quarter = ((deviceGib ?? USUAL_DEVICE_GIB) * 1024 * MIB) / 4;
  return Math.min(Math.max(quarter, LEAST_BUDGET), LARGEST_BUDGET);
}
