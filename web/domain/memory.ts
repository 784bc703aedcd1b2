// How much memory a job will hold, from the header alone: the pool admits jobs by it, and the core enforces it.

import type { WritableFormat } from './formats.ts';
import { frameSize, type Part, type Picture } from './job.ts';
import type { Plan } from './sizing.ts';

const MIB = 1 << 20;

/** Four 32-bit floats: one working pixel of the resampler. */
const WORKING_PIXEL_BYTES = 16;
/** Output rows that are alive at once while shrinking, at most; and source rows in the ring while enlarging. */
const LIVE_ROWS = 8;
/** Encoder tables, two windows of the file, small buffers; on top of it the estimate may be a little short. */
const FIXED_BYTES = 24 * MIB;

/**
 * Bytes of each pixel that the encoder holds, and the most of them. JPEG's looks at up to 16 MiB of rows and collects up to
 * 8 MiB of symbols. A BMP is written bottom-up, and by rows once it is large.
 */
const HELD_BY_ENCODER: Readonly<Record<WritableFormat, { readonly pixelBytes: number; readonly most: number }>> = {
  jpeg: { pixelBytes: 15, most: 24 * MIB },
  png: { pixelBytes: 0, most: 0 },
  tiff: { pixelBytes: 0, most: 0 },
  bmp: { pixelBytes: 4, most: 64 * MIB },
  ico: { pixelBytes: 8, most: 2 * MIB },
};

/** 32-bit linear memory ends here: whatever a job would like to have, this is what its worker can be allowed. */
const ADDRESSABLE_BYTES = 4096 * MIB;

/** Bytes that resizing this file will hold at once, an upper estimate; never more than a worker can have. */
export function jobMemory(
  picture: Picture,
  { files, format }: Pick<Plan & { kind: 'resize' }, 'files' | 'format'>,
): number {
  return Math.max(...files.flat().map((part) => partMemory(picture, part, format)));
}

/** For one of its pictures; a page larger than the first is decoded in as much more. */
function partMemory(picture: Picture, { frame, target, canvas }: Part, format: WritableFormat): number {
  const area = ({ width, height }: { width: number; height: number }) => width * height;
  const workingSet = picture.workingSet * Math.max(1, area(frameSize(picture, frame)) / Math.max(1, area(picture)));
  const { width, height } = canvas?.size ?? target;
  // Rows are resampled as stored, so that the result's may run down the upright picture.
  const rows = (picture.width + Math.max(width, height)) * WORKING_PIXEL_BYTES * LIVE_ROWS;
  // A picture that has to be turned, and not only mirrored, is whole in memory before its first upright row is known, at
  // its target size: up to four channels as stored.
  const turned = picture.orientation <= 2 ? 0 : target.width * target.height * (picture.depth > 8 ? 8 : 4);
  const { pixelBytes, most } = HELD_BY_ENCODER[format];
  const encoded = Math.min(width * height * pixelBytes, most);
  return Math.min(workingSet + rows + turned + encoded + FIXED_BYTES, ADDRESSABLE_BYTES);
}

/** What Chromium says of every larger machine, and a fair guess where a browser says nothing. */
const USUAL_DEVICE_GIB = 4;
const LEAST_BUDGET = 256 * MIB;
const LARGEST_BUDGET = 2048 * MIB;

/**
 * Bytes that all running jobs together may hold: a quarter of the device's memory, since the browser, the page and the
 * finished results live there too. Never above 2 GiB: half of what 32-bit linear memory can address.
 * `deviceGib` is `navigator.deviceMemory`, where the browser tells.
 */
export function memoryBudget(deviceGib: number | undefined): number {
  const quarter = ((deviceGib ?? USUAL_DEVICE_GIB) * 1024 * MIB) / 4;
  return Math.min(Math.max(quarter, LEAST_BUDGET), LARGEST_BUDGET);
}
