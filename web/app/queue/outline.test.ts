import { expect, test } from 'vitest';
import { planFor } from '../../domain/plan.ts';
import { picture, recipeFor } from '../../domain/testing/plans.ts';
import { outlineOf } from './outline.ts';

// The camera turned the photograph: it is 3000 × 4000 pixels.
const box = { mode: 'sides', width: '600', height: '600', keepProportions: false } as const;
const square = { left: 0, top: 0, side: 1 };
const whole = { left: 0, top: 0, width: 1, height: 1 };

test.each([
  ['a picture that is only resized', { mode: 'percent', percent: '50' }, null],
  ['a stretched picture', { ...box, otherShape: 'stretch' }, null],
  [
    'the middle of an upright picture',
    { ...box, otherShape: 'cover' },
    { picture: square, result: { left: 0.125, top: 0.125, width: 0.75, height: 0.75 }, border: null },
  ],
  [
    'the top of an upright picture',
    { ...box, otherShape: 'cover', focus: 'top' },
    { picture: square, result: { left: 0.125, top: 0, width: 0.75, height: 0.75 }, border: null },
  ],
  [
    'a turned picture',
    { ...box, otherShape: 'cover', focus: 'left', turn: 6 },
    { picture: square, result: { left: 0, top: 0.125, width: 0.75, height: 0.75 }, border: null },
  ],
  [
    'a picture with borders at its sides',
    { ...box, otherShape: 'pad' },
    { picture: square, result: whole, border: [255, 255, 255, 255] },
  ],
  [
    'a picture with borders above and below',
    { ...box, width: '300', otherShape: 'pad' },
    {
      picture: { left: 0.167, top: 0.167, side: 0.667 },
      result: { left: 0.25, top: 0, width: 0.5, height: 1 },
      border: [255, 255, 255, 255],
    },
  ],
] as const)('the outline of %s', (_, changes, expected) => {
  const outline = outlineOf(planFor(recipeFor(changes), picture), picture);
  const rounded = JSON.parse(JSON.stringify(outline), (_key, value) =>
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  );
  expect(rounded).toEqual(expected);
});
