import { expect, test } from 'vitest';
import { readOwnSize, typedSides, withOwnSize } from './own-size.ts';
import { planFor } from './plan.ts';
import type { RecipeForm } from './settings.ts';
import { picture, recipeFor } from './testing/plans.ts';

const px = (value: number) => ({ unit: 'px', value }) as const;

const landscape = (width: number, height: number) => ({ ...picture, orientation: 1, width, height });

test.each([
  ['', '', null],
  ['  ', '', null],
  ['300', '', { width: px(300), height: null }],
  ['', '２００', { width: null, height: px(200) }],
  ['50%', '', { width: { unit: 'percent', value: 50 }, height: null }],
  ['640x480', '', { width: px(640), height: px(480) }],
])('reads %j and %j', (width, height, size) => {
  expect(readOwnSize({ width, height })).toEqual({ size });
});

test.each([
  ['', 3000],
  ['100', 1000],
  ['none', 3000],
])('reads 10 inches with the density %j of the settings', (density, value) => {
  expect(readOwnSize({ width: '10in', height: '' }, density)).toEqual({ size: { width: px(value), height: null } });
});

test.each([
  ['0', '', ['not-a-whole-number']],
  ['abc', '-1', ['not-a-whole-number', 'not-a-whole-number']],
  ['401%', '', ['not-a-percentage']],
  ['99999', '99999', ['huge']],
])('refuses %j and %j', (width, height, codes) => {
  const reading = readOwnSize({ width, height });
  expect('problems' in reading && reading.problems.map(({ code }) => code)).toEqual(codes);
});

test.each([
  { width: px(300), height: null },
  { width: { unit: 'percent', value: 12.5 } as const, height: px(7) },
])('writes a size as text that is read as the same size: %j', (size) => {
  expect(readOwnSize(typedSides(size))).toEqual({ size });
});

test.each<[Partial<RecipeForm>, { width: number; height: number }]>([
  [{}, { width: 300, height: 200 }],
  [
    { mode: 'percent', percent: '10' },
    { width: 300, height: 200 },
  ],
  [
    { mode: 'longest', longest: '99' },
    { width: 300, height: 200 },
  ],
  [
    { mode: 'widths', widths: '480, 960' },
    { width: 300, height: 200 },
  ],
  [
    { keepProportions: false, otherShape: 'cover', width: '10', height: '10' },
    { width: 300, height: 300 },
  ],
  [
    { keepProportions: false, otherShape: 'pad', width: '10', height: '10' },
    { width: 300, height: 300 },
  ],
  [
    { keepProportions: false, otherShape: 'stretch', width: '10', height: '10' },
    { width: 300, height: 300 },
  ],
])('replaces the size of the settings %j and keeps their fit', (changes, size) => {
  const plan = planFor(withOwnSize(recipeFor(changes), { width: px(300), height: px(300) }), landscape(3000, 2000));
  expect(plan).toMatchObject({ kind: 'resize', size });
  expect(plan.kind === 'resize' && plan.files.flat()).toHaveLength(1);
});

test('does not enlarge unless the settings do', () => {
  const own = { width: px(900), height: null };
  expect(planFor(withOwnSize(recipeFor({}), own), landscape(300, 200))).toMatchObject({ kind: 'kept' });
  expect(planFor(withOwnSize(recipeFor({ dontEnlarge: false }), own), landscape(300, 200))).toMatchObject({
    kind: 'resize',
    size: { width: 900, height: 600 },
  });
});
