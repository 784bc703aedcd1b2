// The crop or the border of a planned result, in the square of a thumbnail.

import type { Canvas, Part, Rgba } from '../../domain/job.ts';
import { frameSize, type Picture, type Size } from '../../domain/picture.ts';
import type { Plan } from '../../domain/plan.ts';
import { NO_TURN, turnedSize } from '../../domain/turns.ts';

/** Places in the square, in shares of its side. */
export interface Outline {
  /** The smallest square around the whole picture. */
  readonly picture: { readonly left: number; readonly top: number; readonly side: number };
  /** The part of the square that becomes the result. */
  readonly result: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  /** The colour around the picture; null for a crop. */
  readonly border: Rgba | null;
}

/** Returns the outline of the first result, or null if it shows the whole first image and nothing else. */
export function outlineOf(plan: Plan | null, image: Picture): Outline | null {
  const part = plan?.kind === 'resize' ? plan.files[0]?.[0] : undefined;
  // The thumbnail shows the first image.
  if (part?.frame !== 0) return null;
  const source = turnedSize(frameSize(image, 0), part.turn ?? NO_TURN);
  if (part.canvas !== null) return borderOutline(part.canvas, part.target);
  return isWhole(part, source) ? null : cropOutline(part, source);
}

function isWhole({ crop }: Part, { width, height }: Size): boolean {
  return crop.width === width && crop.height === height;
}

function cropOutline({ crop }: Part, source: Size): Outline {
  const { scale, left, top } = fitted(source);
  return {
    picture: { left: 0, top: 0, side: 1 },
    result: {
      left: left + crop.x * scale,
      top: top + crop.y * scale,
      width: crop.width * scale,
      height: crop.height * scale,
    },
    border: null,
  };
}

function borderOutline({ size, x, y, color }: Canvas, target: Size): Outline {
  const { scale, left, top } = fitted(size);
  const side = Math.max(target.width, target.height);
  return {
    picture: {
      left: left + (x + (target.width - side) / 2) * scale,
      top: top + (y + (target.height - side) / 2) * scale,
      side: side * scale,
    },
    result: { left, top, width: size.width * scale, height: size.height * scale },
    border: color,
  };
}

/** Returns how an area is fitted into the middle of the square: the share of a pixel, and the place of its corner. */
function fitted({ width, height }: Size) {
  const scale = 1 / Math.max(width, height);
  return { scale, left: (1 - width * scale) / 2, top: (1 - height * scale) / 2 };
}
