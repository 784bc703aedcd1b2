// The table that the command line shares, and rules that hold for every image and every size rule.
import { expect, test } from 'vitest';
import table from '../../tests/fixtures/sizing.json';
import { MAX_SIDE } from './formats.ts';
import { type Geometry, geometryFor } from './geometry.ts';
import type { Rgba } from './job.ts';
import { type Size, uprightSize } from './picture.ts';
import type { Fit, SizeRule } from './recipe.ts';
import { FOCUSES, type Focus } from './settings.ts';

const WHITE: Rgba = [255, 255, 255, 255];
const px = (value: number | null) => (value === null ? null : ({ unit: 'px', value } as const));

interface Row {
  width: number | null;
  height: number | null;
  percent: number | null;
  fit: string;
  enlarge: boolean;
}

function sizeRule({ width, height, percent, fit }: Row): SizeRule {
  if (percent !== null) return { by: 'percent', percent };
  return { by: 'box', width: px(width), height: px(height), fit: fit as Fit };
}

test.each(table)('$why', ({ stored, orientation, wish, crop, target, canvas }) => {
  const upright = uprightSize({ ...stored, orientation });
  const geometry = geometryFor(sizeRule(wish), upright, wish.enlarge, WHITE);
  expect(geometry).toEqual({ crop, target, canvas: canvas && { ...canvas, color: WHITE } });
});

const FITS: readonly Fit[] = ['contain', 'cover', 'stretch', 'pad'];
const SMALL = Array.from({ length: 9 }, (_, i) => i + 1);

/** Yields every picture and every box up to 9 × 9 with all fits, with and without enlarging: 52 488 cases. */
function* everySmallCase(): Generator<{ upright: Size; box: Size; fit: Fit; enlarge: boolean; geometry: Geometry }> {
  for (const width of SMALL) {
    for (const height of SMALL) {
      for (const w of SMALL) {
        for (const h of SMALL) {
          for (const fit of FITS) {
            for (const enlarge of [false, true]) {
              const upright = { width, height };
              const rule: SizeRule = { by: 'box', width: px(w), height: px(h), fit };
              const geometry = geometryFor(rule, upright, enlarge, WHITE);
              yield { upright, box: { width: w, height: h }, fit, enlarge, geometry };
            }
          }
        }
      }
    }
  }
}

test('no side is 0, every crop is inside the picture, every target is inside its canvas', () => {
  for (const { upright, geometry } of everySmallCase()) {
    const { crop, target, canvas } = geometry;
    const ground = canvas?.size ?? target;
    const isSound =
      Math.min(crop.width, crop.height, target.width, target.height) >= 1 &&
      crop.x >= 0 &&
      crop.y >= 0 &&
      crop.x + crop.width <= upright.width &&
      crop.y + crop.height <= upright.height &&
      (canvas?.x ?? 0) + target.width <= ground.width &&
      (canvas?.y ?? 0) + target.height <= ground.height;
    if (!isSound) expect.fail(JSON.stringify({ upright, geometry }));
  }
});

test('the result has the size of the box, unless the picture keeps its shape or must not grow', () => {
  for (const { upright, box, fit, enlarge, geometry } of everySmallCase()) {
    const result = geometry.canvas?.size ?? geometry.target;
    const isBox = result.width === box.width && result.height === box.height;
    const isWithin = result.width <= box.width && result.height <= box.height;
    const grows = box.width > upright.width || box.height > upright.height;
    const mustBeBox = fit === 'pad' || ((enlarge || !grows) && (fit === 'cover' || fit === 'stretch'));
    if (mustBeBox && !isBox) expect.fail(JSON.stringify({ upright, box, fit, enlarge, geometry }));
    if (!isWithin) expect.fail(JSON.stringify({ upright, box, fit, enlarge, geometry }));
  }
});

test('no picture grows without `enlarge`', () => {
  for (const { enlarge, geometry } of everySmallCase()) {
    const { crop, target } = geometry;
    const grows = target.width > crop.width || target.height > crop.height;
    if (grows && !enlarge) expect.fail(JSON.stringify(geometry));
  }
});

test('the arithmetic is exact up to the longest possible sides', () => {
  const rule: SizeRule = { by: 'box', width: px(999_999), height: null, fit: 'contain' };
  const of = (height: number) => geometryFor(rule, { width: MAX_SIDE, height }, false, WHITE).target.height;
  // 999 999 / 1 000 000 of each: 999 998.000001, 500 000.4999995 and 500 000 − 0.5 + 0.000001
  expect([of(999_999), of(500_001), of(500_000)]).toEqual([999_998, 500_000, 500_000]);
});

test('the longest side is the longer one of width and height', () => {
  const rule: SizeRule = { by: 'longest', side: 1000 };
  const of = (width: number, height: number) => geometryFor(rule, { width, height }, false, WHITE).target;
  expect(of(4000, 3000)).toEqual({ width: 1000, height: 750 });
  expect(of(3000, 4000)).toEqual({ width: 750, height: 1000 });
  expect(of(2000, 2000)).toEqual({ width: 1000, height: 1000 });
  expect(of(800, 600)).toEqual({ width: 800, height: 600 });
});

test('the shortest side is the shorter one of width and height', () => {
  const rule: SizeRule = { by: 'shortest', side: 600 };
  const of = (width: number, height: number) => geometryFor(rule, { width, height }, false, WHITE).target;
  expect(of(4000, 3000)).toEqual({ width: 800, height: 600 });
  expect(of(3000, 4000)).toEqual({ width: 600, height: 800 });
  expect(of(900, 599)).toEqual({ width: 900, height: 599 });
});

test('an area in megapixels is reached as closely as a whole width allows, and not exceeded', () => {
  const shapes = [
    [4032, 3024],
    [3024, 4032],
    [1920, 1080],
    [1000, 1000],
    [12_000, 500],
    [37, 9999],
  ];
  for (const [width = 1, height = 1] of shapes) {
    for (const megapixels of [0.01, 0.3, 1, 2, 12.5]) {
      const rule: SizeRule = { by: 'megapixels', megapixels };
      const { target } = geometryFor(rule, { width, height }, true, WHITE);
      const next = geometryFor(
        { by: 'box', width: px(target.width + 1), height: null, fit: 'contain' },
        { width, height },
        true,
        WHITE,
      );
      expect(target.width * target.height, `${width} × ${height}`).toBeLessThanOrEqual(megapixels * 1e6);
      expect(next.target.width * next.target.height, `${width} × ${height}`).toBeGreaterThan(megapixels * 1e6);
      expect(geometryFor(rule, { width: 20, height: 10 }, false, WHITE).target).toEqual({ width: 20, height: 10 });
    }
  }
});

test.each([
  ['top-left', 0, 0],
  ['top', 50, 0],
  ['right', 101, 0],
  ['bottom-right', 101, 0],
  [undefined, 50, 0],
] as const)('the crop of a wide image at %s begins at %i, %i', (focus, x, y) => {
  const rule: SizeRule = { by: 'box', width: px(50), height: px(50), fit: 'cover', ...(focus ? { focus } : {}) };
  const wide = geometryFor(rule, { width: 201, height: 100 }, false, WHITE);
  expect(wide).toEqual({ crop: { x, y, width: 100, height: 100 }, target: { width: 50, height: 50 }, canvas: null });
});

test('the crop of a tall image follows the rows of the focus', () => {
  const top = (focus: Focus) => {
    const rule: SizeRule = { by: 'box', width: px(50), height: px(50), fit: 'cover', focus };
    return geometryFor(rule, { width: 100, height: 201 }, false, WHITE).crop.y;
  };
  expect(FOCUSES.map(top)).toEqual([0, 0, 0, 50, 50, 50, 101, 101, 101]);
});
