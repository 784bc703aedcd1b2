import { expect, it } from 'vitest';
import type { ImageInfo } from '../../engine/index.ts';
import type { Item } from './item.ts';
import { countChanges, exampleOf } from './plans.ts';
import { recipeFor } from './testing/recipes.ts';
import { fileNamed, pictureInfo } from './testing/scripted-engine.ts';

const item = (id: number, info: ImageInfo | null): Item => ({
  id,
  file: fileNamed(`${id}.jpg`),
  path: `${id}.jpg`,
  info,
  staysAnimated: false,
  phase: info === null ? { phase: 'reading' } : { phase: 'ready' },
});

const items = [
  item(1, null),
  item(2, pictureInfo(4000, 3000)),
  item(3, pictureInfo(1000, 750)),
  item(4, pictureInfo(500, 375)),
  item(5, pictureInfo(1000, 750, { format: 'png' })),
];

it('the example is the first image that has been read', () => {
  const example = exampleOf(items, recipeFor({ width: '1000' }));
  expect(example).toMatchObject({
    item: { id: 2 },
    from: { width: 4000, height: 3000 },
    plan: { size: { width: 1000 } },
  });
});

it('there is no example while the settings are invalid', () => {
  expect(exampleOf(items, null)).toBeNull();
});

it('every image that has been read counts as one change', () => {
  const recipe = recipeFor({ width: '1000', dontEnlarge: false, format: 'jpeg' });
  expect(countChanges(items, recipe)).toMatchObject({ shrink: 1, grow: 1, recode: 1, keep: 1 });
});

it('images that stay as they are because enlarging is off are counted', () => {
  expect(countChanges(items, recipeFor({ width: '2000' }))).toMatchObject({ shrink: 1, keep: 3, smaller: 3 });
  expect(countChanges(items, recipeFor({ width: '2000', dontEnlarge: false }))).toMatchObject({ smaller: 0 });
});
