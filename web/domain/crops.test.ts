// Crops of one image: the turned area by a slow twin that turns every pixel, the fields, and the plans.
import { describe, expect, test } from 'vitest';
import {
  draggedCrop,
  HANDLES,
  inverseTurn,
  isCroppable,
  MOVE,
  shapedCrop,
  turnedRect,
  unlessWhole,
  withCropField,
} from './crops.ts';
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

test.each([
  ['width', '40', { x: 10, y: 20, width: 40, height: 20 }],
  ['width', '100', { x: 0, y: 10, width: 100, height: 50 }],
  ['height', '15', { x: 10, y: 20, width: 30, height: 15 }],
  // The width stops at that of the image.
  ['height', '60', { x: 0, y: 10, width: 100, height: 50 }],
  ['x', '90', { x: 80, y: 20, width: 20, height: 10 }],
  ['y', '59', { x: 10, y: 50, width: 20, height: 10 }],
  ['width', '101', null],
] as const)('%s "%s" of a locked shape of 2:1', (field, text, crop) => {
  const start = { x: 10, y: 20, width: 20, height: 10 };
  expect(withCropField(start, field, text, { width: 100, height: 60 }, 2)).toEqual(crop);
});

describe('dragging a crop', () => {
  const image = { width: 100, height: 60 };
  const crop = { x: 20, y: 10, width: 40, height: 20 };

  test.each([
    ['moves it', MOVE, { x: 5.4, y: -3.6 }, { x: 25, y: 6, width: 40, height: 20 }],
    ['stops at the edges', MOVE, { x: 500, y: -500 }, { x: 60, y: 0, width: 40, height: 20 }],
    ['the left edge', { x: -1, y: 0 }, { x: -7, y: 9 }, { x: 13, y: 10, width: 47, height: 20 }],
    ['the left edge past the right one', { x: -1, y: 0 }, { x: 99, y: 0 }, { x: 59, y: 10, width: 1, height: 20 }],
    ['the lower right corner', { x: 1, y: 1 }, { x: 99, y: 3 }, { x: 20, y: 10, width: 80, height: 23 }],
    ['the upper right corner', { x: 1, y: -1 }, { x: -10, y: -99 }, { x: 20, y: 0, width: 30, height: 30 }],
  ] as const)('%s', (_, handle, way, expected) => {
    expect(draggedCrop(crop, handle, way, image)).toEqual(expected);
  });

  test.each([
    ['a corner follows the longer way', { x: 1, y: 1 }, { x: 2, y: 5 }, { x: 20, y: 10, width: 50, height: 25 }],
    ['a corner stops at an edge', { x: 1, y: 1 }, { x: 99, y: 99 }, { x: 20, y: 10, width: 80, height: 40 }],
    ['the opposite corner stays', { x: -1, y: -1 }, { x: 10, y: 50 }, { x: 30, y: 15, width: 30, height: 15 }],
    ['an edge grows to both sides', { x: 1, y: 0 }, { x: 8, y: 0 }, { x: 20, y: 8, width: 48, height: 24 }],
    ['and moves where there is no room', { x: 0, y: 1 }, { x: 0, y: 30 }, { x: 0, y: 10, width: 100, height: 50 }],
  ] as const)('with a locked shape, %s', (_, handle, way, expected) => {
    expect(draggedCrop(crop, handle, way, image, 2)).toEqual(expected);
  });

  test('leaves a crop of whole pixels in the image, with its other ends in place', () => {
    const random = sequence();
    for (let i = 0; i < 20_000; i += 1) {
      const size = { width: 1 + random(200), height: 1 + random(200) };
      const [x, y] = [random(size.width), random(size.height)];
      const start = { x, y, width: 1 + random(size.width - x), height: 1 + random(size.height - y) };
      const way = { x: random(4000) / 10 - 200, y: random(4000) / 10 - 200 };
      const shape = random(2) === 0 ? null : (1 + random(30)) / (1 + random(30));
      const handle = [...HANDLES, MOVE][random(9)] ?? MOVE;
      const next = draggedCrop(start, handle, way, size, shape);
      for (const value of Object.values(next)) expect(Number.isInteger(value)).toBe(true);
      expect(Math.min(next.x, next.y)).toBeGreaterThanOrEqual(0);
      expect(Math.min(next.width, next.height)).toBeGreaterThanOrEqual(1);
      expect(next.x + next.width).toBeLessThanOrEqual(size.width);
      expect(next.y + next.height).toBeLessThanOrEqual(size.height);
      // Half a pixel of rounding, unless the side is a single pixel or all that there is room for.
      const isBounded = next.height === 1 || next.width === 1 || next.y === 0 || next.y + next.height === size.height;
      if (shape !== null && handle !== MOVE && !isBounded) {
        expect(Math.abs(next.width / shape - next.height)).toBeLessThanOrEqual(0.5 + 1e-9);
      }
      if (handle === MOVE) expect([next.width, next.height]).toEqual([start.width, start.height]);
      if (handle.x === 1) expect(next.x).toBe(start.x);
      if (handle.y === 1) expect(next.y).toBe(start.y);
      if (handle.x === -1) expect(next.x + next.width).toBe(start.x + start.width);
      if (handle.y === -1) expect(next.y + next.height).toBe(start.y + start.height);
    }
  });
});

/** Returns a function that returns the same whole numbers below its argument in each run. */
function sequence(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

test.each([
  [2, { x: 10, y: 15, width: 20, height: 10 }],
  [0.5, { x: 15, y: 10, width: 10, height: 20 }],
  [1000, { x: 10, y: 19, width: 20, height: 1 }],
  [0.001, { x: 19, y: 10, width: 1, height: 20 }],
] as const)('the largest crop of the shape %d lies in the middle', (shape, crop) => {
  expect(shapedCrop({ x: 10, y: 10, width: 20, height: 20 }, shape)).toEqual(crop);
});

test('a file can be cropped if its images have one size', () => {
  const [one, other] = [
    { width: 2, height: 3 },
    { width: 3, height: 2 },
  ];
  expect([[], [one], [one, { ...one }], [one, other]].map((frameSizes) => isCroppable({ frameSizes }))).toEqual([
    ...[true, true, true, false],
  ]);
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

  test('every page of one size is cropped', () => {
    const pages = { ...source, format: 'tiff', sequence: 'pages', frames: 3 } as const;
    const plan = planFor({ ...recipeFor({ width: '50%' }), crop }, pages);
    if (plan.kind !== 'resize') throw new Error(plan.kind);
    expect(plan.files).toMatchObject([
      [0, 1, 2].map((frame) => ({ frame, crop, target: { width: 200, height: 100 } })),
    ]);
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
