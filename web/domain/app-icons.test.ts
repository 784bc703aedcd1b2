import { expect, test } from 'vitest';
import { APP_ICONS } from './app-icons.ts';
import { jobsFor } from './jobs.ts';
import { planFor, type ResizePlan } from './plan.ts';
import type { Recipe } from './recipe.ts';
import { picture, recipeFor } from './testing/plans.ts';

const recipe = recipeFor({ mode: 'appIcons', format: 'jpeg' });

const planOf = (chosen: Recipe, of = picture): ResizePlan => {
  const plan = planFor(chosen, of, 1000);
  if (plan.kind !== 'resize') throw new Error('an icon set is always made');
  return plan;
};

test('each icon has its format and its sides, also from a small image', () => {
  for (const of of [picture, { ...picture, width: 10, height: 10 }]) {
    const plan = planOf(recipe, of);
    const made = jobsFor(recipe, plan, 0).map(({ output, parts }, i) => [
      plan.each?.[i]?.name,
      output.format,
      parts.map(({ canvas, target }) => canvas?.size ?? target),
    ]);
    const squares = (...sides: number[]) => sides.map((side) => ({ width: side, height: side }));
    expect(made).toEqual([
      ['icon-512.png', 'png', squares(512)],
      ['icon-192.png', 'png', squares(192)],
      ['icon-maskable-512.png', 'png', squares(512)],
      ['apple-touch-icon.png', 'png', squares(180)],
      ['favicon.ico', 'ico', squares(16, 32, 48)],
    ]);
  }
});

test.each([
  ['square', 900, 900],
  ['wide', 900, 300],
  ['tall', 1, 5000],
])('a maskable icon keeps a %s image inside the middle four fifths', (_, width, height) => {
  const { files } = planOf(recipe, { ...picture, orientation: 1, width, height });
  const [part] = files[APP_ICONS.findIndex(({ padding }) => padding > 0)] ?? [];
  const { x = 0, y = 0 } = part?.canvas ?? {};
  const { width: w = 0, height: h = 0 } = part?.target ?? {};
  for (const edge of [x, y, 512 - x - w, 512 - y - h]) expect(edge).toBeGreaterThanOrEqual(51);
  expect(Math.max(w, h)).toBe(410);
});

test.each([false, true])('the maskable icon and that of Apple get the background colour, with alpha: %s', (alpha) => {
  const red = recipeFor({ mode: 'appIcons', background: [255, 0, 0] });
  const plan = planOf(red, { ...picture, alpha, width: 900, height: 300 });
  const found = jobsFor(red, plan, 0).map(({ parts, flatten }) => [parts[0]?.canvas?.color, flatten]);
  const [clear, opaque] = [
    [[0, 0, 0, 0], undefined],
    [
      [255, 0, 0, 255],
      [255, 0, 0],
    ],
  ];
  expect(found).toEqual([clear, clear, opaque, opaque, clear]);
});

test('an icon set made from an icon uses the entry of each size', () => {
  const frameSizes = [256, 16, 32].map((side) => ({ width: side, height: side }));
  const icon = { ...picture, format: 'ico', sequence: 'sizes', frames: 3, frameSizes, orientation: 1 } as const;
  const { files } = planOf(recipe, { ...icon, width: 256, height: 256 });
  expect(files.at(-1)?.map(({ frame }) => frame)).toEqual([1, 2, 0]);
});
