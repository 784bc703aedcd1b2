// The drawing of a thumbnail, with its turn and the outline of a planned crop or border.

import type { Rgba } from '../../domain/job.ts';
import type { Turn } from '../../domain/turns.ts';
import type { Outline } from './outline.ts';
import { THUMBNAIL_PIXELS } from './thumbnails.ts';

const SHADE = 'rgb(0 0 0 / 62%)';
const LINE = 2;

/** The directions of the turned axes: where x leads, and where y leads. */
const AXES: Readonly<Record<Turn, readonly [number, number, number, number]>> = {
  1: [1, 0, 0, 1],
  2: [-1, 0, 0, 1],
  3: [-1, 0, 0, -1],
  4: [1, 0, 0, -1],
  5: [0, 1, 1, 0],
  6: [0, 1, -1, 0],
  7: [0, -1, -1, 0],
  8: [0, -1, 1, 0],
};

/**
 * Draws a thumbnail on a square canvas: the middle of the picture, which fills the square, or, with an outline, the
 * whole picture.
 */
export function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap, turn: Turn, outline: Outline | null): void {
  canvas.width = THUMBNAIL_PIXELS;
  canvas.height = THUMBNAIL_PIXELS;
  const context = canvas.getContext('2d');
  if (context === null) return;
  if (outline?.border) {
    context.fillStyle = colorOf(outline.border);
    context.fill(rectangle(outline.result));
  }
  drawPicture(context, bitmap, turn, outline);
  if (outline !== null) drawOutline(context, outline);
}

/** Frees the memory of the canvas. */
export function erase(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

type Context = CanvasRenderingContext2D;

function drawPicture(context: Context, bitmap: ImageBitmap, turn: Turn, outline: Outline | null): void {
  const { width, height } = bitmap;
  const { left, top, side } = outline?.picture ?? { left: 0, top: 0, side: 1 };
  const scale = (THUMBNAIL_PIXELS * side) / (outline === null ? Math.min(width, height) : Math.max(width, height));
  context.save();
  context.translate(THUMBNAIL_PIXELS * (left + side / 2), THUMBNAIL_PIXELS * (top + side / 2));
  context.transform(...AXES[turn], 0, 0);
  context.drawImage(bitmap, (-width * scale) / 2, (-height * scale) / 2, width * scale, height * scale);
  context.restore();
}

/** Darkens what is cut off, and draws a line around the result. */
function drawOutline(context: Context, { result, border }: Outline): void {
  const inside = rectangle(result);
  if (border === null) {
    const outside = new Path2D(inside);
    outside.rect(0, 0, THUMBNAIL_PIXELS, THUMBNAIL_PIXELS);
    context.fillStyle = SHADE;
    // Only the picture gets darker, not the square around it.
    context.globalCompositeOperation = 'source-atop';
    context.fill(outside, 'evenodd');
    context.globalCompositeOperation = 'source-over';
  }
  context.save();
  context.clip(inside);
  for (const [color, width] of [
    [SHADE, 4 * LINE],
    ['#fff', 2 * LINE],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke(inside);
  }
  context.restore();
}

function rectangle({ left, top, width, height }: Outline['result']): Path2D {
  const path = new Path2D();
  const [x, y, across, down] = [left, top, width, height].map((share) => share * THUMBNAIL_PIXELS);
  path.rect(x ?? 0, y ?? 0, across ?? 0, down ?? 0);
  return path;
}

function colorOf([red, green, blue, alpha]: Rgba): string {
  return `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
}
