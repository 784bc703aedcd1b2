// Plans for originals whose metadata are rewritten, in formats where not every file allows that.
import { describe, expect, test } from 'vitest';
import type { Picture } from './picture.ts';
import { planFor } from './plan.ts';
import { picture, recipeFor } from './testing/plans.ts';

describe('an AVIF with a location', () => {
  const small: Picture = { ...picture, format: 'avif', width: 80, height: 60, orientation: 1, metadata: 'location' };

  test('is copied without it, or encoded if its file does not allow that', () => {
    const plan = planFor(recipeFor({}), small);
    expect(plan).toMatchObject({ kind: 'kept', rewriteMetadata: 'keep-without-location' });
    expect(plan).toHaveProperty('otherwise.kind', 'resize');
    expect(plan).toHaveProperty('otherwise.format', 'avif');
    expect(plan).not.toHaveProperty('otherwise.original');
  });

  test('is kept as it is if the location may stay', () => {
    const plan = planFor(recipeFor({ metadata: 'keep' }), small);
    expect(plan).toMatchObject({ kind: 'kept', rewriteMetadata: null });
    expect(plan).not.toHaveProperty('otherwise');
  });
});

describe.each(['avif', 'jxl'] as const)('%s with a location', (kept) => {
  const small: Picture = { ...picture, format: kept, width: 80, height: 60, orientation: 1, metadata: 'location' };
  const animation: Picture = { ...small, frames: 3, sequence: 'animation' };

  test.each([
    ['a still', small, kept],
    ['an animation, which cannot be written', animation, 'png'],
  ])('is copied without it, %s', (_, source, format) => {
    const plan = planFor(recipeFor({}), source);
    expect(plan).toMatchObject({ kind: 'kept', format: kept, rewriteMetadata: 'keep-without-location' });
    expect(plan).toMatchObject({ otherwise: { kind: 'resize', format } });
  });

  test('is kept as it is if the location may stay', () => {
    expect(planFor(recipeFor({ metadata: 'keep' }), animation)).toMatchObject({ kind: 'kept', rewriteMetadata: null });
  });

  test('is encoded if it gets another size', () => {
    const plan = planFor(recipeFor({ width: '40' }), small);
    expect(plan).toMatchObject({ kind: 'resize', format: kept });
  });
});
