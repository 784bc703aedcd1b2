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

  test('is encoded if it is an animation', () => {
    const animation: Picture = { ...small, frames: 3, sequence: 'animation' };
    expect(planFor(recipeFor({}), animation)).toMatchObject({ kind: 'resize' });
  });
});
