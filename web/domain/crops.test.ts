// Crops of one image: the turned area by a slow twin that turns every pixel, the fields, and the plans.
import { describe, expect, test } from 'vitest';
import { inverseTurn, turnedRect, unlessWhole, withCropField } from './crops.ts';
import type { Rect } from './job.ts';
import type { Size } from './picture.ts';
import { planFor } from './plan.ts';
import { picture, recipeFor } from './testing/plans.ts';
import { TURNS, turnedSize, turnThen } from './turns.ts';

/** Where EXIF's table puts a pixel. */
function turnedPixel(x: number, y: number, { width, height }: Size, turn: number): readonly [number, number] {
  const [right, bottom] = [width - 1 - x, height - 1 - y];
  const places = [
    [x, y],
    [right, y],
    [right, bottom],
    [x, bottom],
    [y, x],
    [bottom, x],
    [bottom, right],
    [y, right],
  ] as const;
  return places[turn - 1] ?? [x, y];
}

function slowly({ x, y, width, height }: Rect, image: Size, turn: number): Rect {
  const ends = [turnedPixel(x, y, image, turn), turnedPixel(x + width - 1, y + height - 1, image, turn)];
  const [xs, ys] = [ends.map(([x]) => x), ends.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 };
}

const IMAGE = { width: 7, height: 5 };
const AREA = { x: 1, y: 2, width: 4, height: 2 };

test.each(TURNS)('turn %i moves an area as it moves its pixels, and its inverse moves it back', (turn) => {
  const there = turnedRect(AREA, IMAGE, turn);
  expect(there).toEqual(slowly(AREA, IMAGE, turn));
  expect(turnThen(turn, inverseTurn(turn))).toBe(1);
  expect(turnedRect(there, turnedSize(IMAGE, turn), inverseTurn(turn))).toEqual(AREA);
});

test.each([
  ['x', '2', { x: 2, y: 2, width: 4, height: 2 }],
  ['x', '5', { x: 5, y: 2, width: 2, height: 2 }],
  ['x', '7', null],
  ['y', '4', { x: 1, y: 4, width: 4, height: 1 }],
  ['y', '-1', null],
  ['width', ' 7 ', { x: 0, y: 2, width: 7, height: 2 }],
  ['width', '8', null],
  ['width', '0', null],
  ['height', '4', { x: 1, y: 1, width: 4, height: 4 }],
  ['height', '1.5', null],
  ['height', '', null],
] as const)('%s "%s" gives a crop in the image or none', (field, text, crop) => {
  expect(withCropField(AREA, field, text, IMAGE)).toEqual(crop);
});

test('a crop of the whole image is none', () => {
  expect(unlessWhole({ x: 0, y: 0, ...IMAGE }, IMAGE)).toBeNull();
  expect(unlessWhole(AREA, IMAGE)).toBe(AREA);
});

describe('plans of a crop', () => {
  const source = { ...picture, width: 800, height: 600, orientation: 1 };
  const crop = { x: 100, y: 50, width: 400, height: 200 };
  const planOf = (changes: Parameters<typeof recipeFor>[0], turn = 1 as (typeof TURNS)[number]) => {
    const plan = planFor({ ...recipeFor(changes), turn, crop }, source);
    if (plan.kind !== 'resize') throw new Error(plan.kind);
    return plan.files.flat();
  };

  test('its size takes the place of that of the image', () => {
    expect(planOf({ width: '50%' })).toMatchObject([{ crop, target: { width: 200, height: 100 } }]);
    // Nothing is enlarged, but the original is not kept.
    expect(planOf({})).toMatchObject([{ crop, target: { width: 400, height: 200 } }]);
  });

  test('it turns with the image', () => {
    const turned = { x: 350, y: 100, width: 200, height: 400 };
    expect(planOf({ width: '50%' }, 6)).toMatchObject([{ crop: turned, target: { width: 100, height: 200 } }]);
  });

  test('the fit crops the crop', () => {
    const shape = { width: '100', height: '100', keepProportions: false, otherShape: 'cover' } as const;
    expect(planOf(shape)).toMatchObject([{ crop: { x: 200, y: 50, width: 200, height: 200 } }]);
  });

  test('several widths, icons and app icons are made of it', () => {
    expect(planOf({ mode: 'widths', widths: '100, 200' })).toMatchObject([
      { crop, target: { width: 200, height: 100 } },
      { crop, target: { width: 100, height: 50 } },
    ]);
    const icons = [...planOf({ format: 'ico' }), ...planOf({ mode: 'appIcons' })];
    for (const part of icons) expect(part.crop).toEqual(crop);
  });
});
