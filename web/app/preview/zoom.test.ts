import { describe, expect, it } from 'vitest';
import { fitScale, limited, type View, wholeView, zoomedAt } from './zoom.ts';

const STAGE = { width: 800, height: 600 };
const IMAGE = { width: 4000, height: 2000 };

/** Returns where a pixel of the image is in the stage. */
const placeOf = ({ scale, middle }: View, x: number, y: number) => ({
  x: middle.x + (x - IMAGE.width / 2) * scale,
  y: middle.y + (y - IMAGE.height / 2) * scale,
});

describe('a zoomed image', () => {
  it('fits into the stage at first', () => {
    expect(fitScale(STAGE, IMAGE)).toBe(0.2);
    expect(wholeView(STAGE, IMAGE)).toEqual({ scale: 0.2, middle: { x: 0, y: 0 } });
  });

  it('keeps the pixel under the pointer', () => {
    const view = wholeView(STAGE, IMAGE);
    const pointer = placeOf(view, 3000, 400);
    const next = placeOf(zoomedAt(view, 1, pointer), 3000, 400);
    expect(next.x).toBeCloseTo(pointer.x);
    expect(next.y).toBeCloseTo(pointer.y);
  });

  it('leaves no empty edge', () => {
    const moved = limited({ scale: 1, middle: { x: 9999, y: -9999 } }, STAGE, IMAGE, 1);
    expect(moved.middle).toEqual({ x: 1600, y: -700 });
    expect(limited({ scale: 0.2, middle: { x: 50, y: 50 } }, STAGE, IMAGE, 1).middle).toEqual({ x: 0, y: 0 });
  });

  it('is not smaller than the stage allows, nor larger than eight pixels of the screen for one', () => {
    const at = (scale: number, image = IMAGE, density = 1) =>
      limited({ scale, middle: { x: 0, y: 0 } }, STAGE, image, density).scale;
    expect(at(0.01)).toBe(0.2);
    expect(at(100)).toBe(7.5);
    expect(at(100, { width: 100, height: 100 }, 2)).toBe(4);
    // A small image can be shown at its own size, although it would fill the stage.
    expect(at(0.01, { width: 100, height: 100 })).toBe(1);
  });
});
