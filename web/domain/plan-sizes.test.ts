// Plans of several widths, and of turned images.
import { expect, test } from 'vitest';
import type { Picture } from './picture.ts';
import { planFor } from './plan.ts';
import { picture, recipeFor } from './testing/plans.ts';

test.each([
  ['wider than all', {}, 4000, [1920, 960, 480]],
  ['narrower than some', {}, 1000, [960, 480]],
  ['of one of the widths', {}, 960, [480]],
  ['narrower than some, in another format', { format: 'webp' }, 1000, [1000, 960, 480]],
  ['narrower than some that may grow', { dontEnlarge: false }, 1000, [1920, 960, 480]],
] as const)('of several widths, an image %s has its own', (_, changes, width, expected) => {
  const recipe = recipeFor({ mode: 'widths', widths: '480, 960, 1920', ...changes });
  const plan = planFor(recipe, { ...picture, width, height: 300, orientation: 1 });
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  expect(plan.files.map(([part]) => part?.target.width)).toEqual(expected);
  expect(plan.size.width).toBe(expected[0]);
});

test('an image that is narrower than all widths is kept, and a width that its format cannot hold is refused', () => {
  const recipe = recipeFor({ mode: 'widths', widths: '480, 960' });
  expect(planFor(recipe, { ...picture, width: 400, height: 300, orientation: 1 })).toMatchObject({
    kind: 'kept',
    reason: 'already-smaller',
  });
  const long = recipeFor({ mode: 'widths', widths: '480, 70000', dontEnlarge: false });
  expect(planFor(long, { ...picture, width: 4000, height: 30, orientation: 1 })).toMatchObject({ kind: 'too-long' });
});

test('each page of a file gets all widths', () => {
  const scan: Picture = {
    ...picture,
    format: 'tiff',
    orientation: 1,
    frames: 2,
    sequence: 'pages',
    frameSizes: [
      { width: 4000, height: 3000 },
      { width: 2000, height: 3000 },
    ],
  };
  const plan = planFor(recipeFor({ mode: 'widths', widths: '100 200', format: 'png' }), scan);
  if (plan.kind !== 'resize') throw new Error(plan.kind);
  expect(plan.files.map(([part]) => [part?.frame, part?.target.width])).toEqual([
    [0, 200],
    [1, 200],
    [0, 100],
    [1, 100],
  ]);
});

test('a turned image has the size of its turned sides, and is never kept as it is', () => {
  const landscape = { ...picture, width: 800, height: 600, orientation: 1 };
  const plan = planFor(recipeFor({ turn: 6, width: '300' }), landscape);
  expect(plan).toMatchObject({ kind: 'resize', size: { width: 300, height: 400 } });
  expect(plan.kind === 'resize' && plan.files[0]?.[0]).toMatchObject({
    turn: 6,
    crop: { x: 0, y: 0, width: 600, height: 800 },
    target: { width: 300, height: 400 },
  });
  expect(planFor(recipeFor({ turn: 2 }), landscape)).toMatchObject({
    kind: 'resize',
    size: { width: 800, height: 600 },
  });
  // A photograph that its camera turned already: both turns count.
  expect(planFor(recipeFor({ turn: 6, width: '300' }), { ...landscape, orientation: 6 })).toMatchObject({
    size: { width: 300, height: 225 },
  });
  // A drawing cannot be turned as a drawing.
  expect(planFor(recipeFor({ turn: 3 }), { ...landscape, format: 'svg' })).toMatchObject({ format: 'png' });
});
