import { describe, expect, test } from 'vitest';
import { focusAt, focusOf, focusPercent } from './focus.ts';
import { geometryFor } from './geometry.ts';
import { FOCUSES, type Focus } from './settings.ts';

describe('a focus', () => {
  test('has its percentages, and they have its name', () => {
    const percent = FOCUSES.map((focus) => focusPercent(focus));
    expect(percent).toEqual([0, 50, 100].flatMap((y) => [0, 50, 100].map((x) => [x, y])));
    for (const focus of FOCUSES) expect(focusAt(...focusPercent(focus))).toBe(focus);
  });

  test.each<[number, number, Focus]>([
    [12.34, 50, '12.3% 50%'],
    [-5, 120, 'bottom-left'],
    [99.96, 0, 'top-right'],
    [33, 66.66, '33% 66.7%'],
  ])('at %d and %d percent is %s', (x, y, focus) => {
    expect(focusAt(x, y)).toBe(focus);
    expect(focusAt(...focusPercent(focus))).toBe(focus);
  });
});

const px = (value: number) => ({ unit: 'px', value }) as const;

/** Returns the crop of an image for a box of 100 × 100. */
function cropAt(focus: Focus, width: number, height: number) {
  const box = { by: 'box', fit: 'cover', width: px(100), height: px(100), focus } as const;
  return geometryFor(box, { width, height }, true, [0, 0, 0, 0]).crop;
}

describe('the crop at a focus', () => {
  test.each<[Focus, number, number]>([
    ['0% 50%', 0, 0],
    ['12.5% 0%', 25, 0],
    ['99.9% 100%', 199, 0],
    ['100% 0%', 200, 0],
  ])('%s of 300 × 100 begins at %d, %d', (focus, x, y) => {
    expect(cropAt(focus, 300, 100)).toEqual({ x, y, width: 100, height: 100 });
  });

  test('named and free positions are the same, also with an odd pixel', () => {
    for (const focus of FOCUSES) {
      const [x, y] = focusPercent(focus);
      for (const [width, height] of [[301, 100] as const, [100, 777] as const]) {
        expect(cropAt(`${x}% ${y}%`, width, height)).toEqual(cropAt(focus, width, height));
      }
    }
  });

  test('lies within a tenth of a percent of where it was dragged, and the other axis keeps its part', () => {
    for (const width of [101, 1000, 5000]) {
      for (let x = 0; x <= width - 100; x += Math.ceil(width / 97)) {
        const focus = focusOf({ x, y: 0, width: 100, height: 100 }, { width, height: 100 }, 'bottom');
        expect(focusPercent(focus)[1]).toBe(100);
        expect(Math.abs(cropAt(focus, width, 100).x - x)).toBeLessThanOrEqual(1 + width * 0.0005);
      }
    }
  });
});
