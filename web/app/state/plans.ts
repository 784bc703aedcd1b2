// The effect of the recipe on all items together, which the settings show before a run.

import type { Size } from '../../domain/picture.ts';
import { type Plan, sourceSize } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import type { Item } from './item.ts';
import { planOf } from './item-plan.ts';

/** The first usable image without a size or a crop of its own, and its plan. */
export interface Example {
  readonly item: Item;
  readonly from: Size;
  readonly plan: Plan;
}

export function exampleOf(items: readonly Item[], recipe: Recipe | null): Example | null {
  for (const item of items) {
    const plan = item.ownSize == null && item.crop == null ? planOf(item, recipe) : null;
    if (plan !== null && item.info !== null) return { item, from: sourceSize(item.info, plan), plan };
  }
  return null;
}

export const CHANGES = ['shrink', 'grow', 'recode', 'keep'] as const;
export type Change = (typeof CHANGES)[number];

/** The number of images with each change, and of those that stay as they are because enlarging is off. */
export type ChangeCounts = Readonly<Record<Change | 'smaller', number>>;

/** Returns how many images will shrink, grow, keep their size in another format, and stay unchanged. */
export function countChanges(items: readonly Item[], recipe: Recipe | null): ChangeCounts {
  const counts = { shrink: 0, grow: 0, recode: 0, keep: 0, smaller: 0 };
  for (const item of items) {
    const change = changeOf(item, recipe);
    if (change === null) continue;
    counts[change] += 1;
    const plan = planOf(item, recipe);
    if (plan?.kind === 'kept' && plan.reason === 'already-smaller') counts.smaller += 1;
  }
  return counts;
}

function changeOf(item: Item, recipe: Recipe | null): Change | null {
  const plan = planOf(item, recipe);
  if (plan === null || item.info === null) return null;
  if (plan.kind === 'kept') return 'keep';
  if (plan.kind !== 'resize') return null;
  const { width, height } = sourceSize(item.info, plan);
  const before = width * height;
  const after = plan.size.width * plan.size.height;
  return after < before ? 'shrink' : after > before ? 'grow' : 'recode';
}
