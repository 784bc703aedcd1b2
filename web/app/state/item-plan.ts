// What the recipe means for an item: its plan, its jobs, and whether its result is still valid.

import { FORMATS } from '../../domain/formats.ts';
import { jobsFor } from '../../domain/jobs.ts';
import { jobMemory } from '../../domain/memory.ts';
import { type HugePlan, type Plan, planFor, type ResizePlan, type TooLongPlan } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { turnThen } from '../../domain/turns.ts';
import type { ImageInfo, ResizeJob } from '../../engine/index.ts';
import type { Item, PlanFailure } from './item.ts';

/** Returns the recipe's plan for the item; null if the file cannot be used or the settings are invalid. */
export function planOf(item: Item, recipe: Recipe | null): Plan | null {
  if (item.info === null || recipe === null || isUnusable(item)) return null;
  if (item.turn !== undefined) return planFor(ownRecipe(item, item.info, recipe), item.info, item.file.size);
  const staysAnimated = item.staysAnimated && losesFrames(item.info, recipe);
  return (staysAnimated ? animatedPlan : plan)(item.info, recipe, item.file.size);
}

/** The plans are cached for the headers, because an item is replaced whenever its phase changes. */
const plan = cached((info: ImageInfo, recipe: Recipe, bytes: number) => planFor(recipe, info, bytes));
const animatedPlan = cached((info: ImageInfo, recipe: Recipe, bytes: number) =>
  planFor({ ...recipe, format: 'same' }, info, bytes),
);

/** Returns the recipe with the choices for this item. */
function ownRecipe({ staysAnimated, turn }: Item, info: ImageInfo, recipe: Recipe): Recipe {
  const own = turn === undefined ? recipe : { ...recipe, turn: turnThen(turn, recipe.turn) };
  return staysAnimated && losesFrames(info, recipe) ? { ...own, format: 'same' } : own;
}

/** Whether the file is an animation and the recipe's format holds its first frame only. */
export function losesFrames({ frames, sequence }: ImageInfo, { format }: Recipe): boolean {
  return frames > 1 && sequence === 'animation' && format !== 'same' && FORMATS[format].holds !== 'animation';
}

function isUnusable({ phase }: Item): boolean {
  return phase.phase === 'failed' && phase.resultKey === null;
}

export function planFailure(plan: TooLongPlan | HugePlan): PlanFailure {
  if (plan.kind === 'huge') return { code: 'huge', size: plan.size };
  return { code: 'too-long', format: plan.format, max: plan.max };
}

export function jobsOf(recipe: Recipe, plan: ResizePlan, info: ImageInfo): ResizeJob[] {
  return jobsFor(recipe, plan, jobMemory(info, { ...plan, coding: recipe.coding }));
}

/**
 * Returns a key of the recipe's result for this item: recipes with the same key produce the same file. So a result
 * stays valid if a setting is changed and changed back, or if a setting does not affect the item.
 */
export function resultKeyOf(item: Item, recipe: Recipe): string {
  const plan = planOf(item, recipe);
  return JSON.stringify(plan?.kind === 'resize' ? [jobsFor(recipe, plan, 0), plan.maxBytes] : plan);
}

/** Whether the item has a result that the current settings would not produce. */
export const isStale = cached((item: Item, recipe: Recipe | null): boolean => {
  const { phase } = item;
  if (recipe === null || !('resultKey' in phase) || phase.resultKey === null) return false;
  return phase.resultKey !== resultKeyOf(item, recipe);
});

/** Whether Resize Images would process this item. */
export function isPending(item: Item, recipe: Recipe | null): boolean {
  return item.phase.phase === 'ready' || isStale(item, recipe);
}

/**
 * Caches the last answer for each object, from which `more` follows, too. Items and headers are immutable, so after one of
 * a thousand items has been replaced, counting computes one new answer.
 */
function cached<Of extends Item | ImageInfo, By extends Recipe | null, More extends unknown[], R>(
  compute: (of: Of, recipe: By, ...more: More) => R,
) {
  const answers = new WeakMap<Of, { readonly recipe: By; readonly answer: R }>();
  return (of: Of, recipe: By, ...more: More): R => {
    const known = answers.get(of);
    if (known?.recipe === recipe) return known.answer;
    const answer = compute(of, recipe, ...more);
    answers.set(of, { recipe, answer });
    return answer;
  };
}
