// What the recipe means for an item: its plan, its jobs, and whether its result is still valid.

import { heldByResults } from '../../domain/formats.ts';
import { jobsFor } from '../../domain/jobs.ts';
import { ADDRESSABLE_BYTES, jobMemory } from '../../domain/memory.ts';
import { withOwnSize } from '../../domain/own-size.ts';
import { type HugePlan, type Plan, planFor, type ResizePlan, type TooLongPlan } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { turnThen } from '../../domain/turns.ts';
import type { ImageInfo, ResizeJob } from '../../engine/index.ts';
import type { Item, PlanFailure } from './item.ts';

/** Returns the recipe's plan for the item; null if the file cannot be used or the settings are invalid. */
export function planOf(item: Item, recipe: Recipe | null): Plan | null {
  if (item.info === null || recipe === null || isUnusable(item)) return null;
  const own = ownRecipe(item, recipe);
  const staysAnimated = item.staysAnimated && losesFrames(item.info, own);
  return (staysAnimated ? animatedPlan : plan)(item.info, own, item.file.size);
}

/** The plans are cached for the headers, because an item is replaced whenever its phase changes. */
const plan = cached((info: ImageInfo, recipe: Recipe, bytes: number) => planFor(recipe, info, bytes));
const animatedPlan = cached((info: ImageInfo, recipe: Recipe, bytes: number) =>
  planFor({ ...recipe, format: 'same' }, info, bytes),
);

/** Returns the recipe with the turn, the crop and the size of this item. That of a run has those of the run's beginning already. */
export const ownRecipe = cached(({ turn, crop, ownSize, phase }: Item, recipe: Recipe): Recipe => {
  if ('recipe' in phase && phase.recipe === recipe) return recipe;
  const turned = turn === undefined ? recipe : { ...recipe, turn: turnThen(turn, recipe.turn) };
  const cropped = crop == null ? turned : { ...turned, crop };
  return ownSize == null ? cropped : withOwnSize(cropped, ownSize);
});

/** Whether the file is an animation and the recipe's format holds its first frame only. */
export function losesFrames({ frames, sequence }: ImageInfo, { format }: Recipe): boolean {
  return frames > 1 && sequence === 'animation' && format !== 'same' && heldByResults(format) !== 'animation';
}

function isUnusable({ phase }: Item): boolean {
  return phase.phase === 'failed' && phase.resultKey === null;
}

export function planFailure(plan: TooLongPlan | HugePlan): PlanFailure {
  if (plan.kind === 'huge') return { code: 'huge', size: plan.size };
  return { code: 'too-long', format: plan.format, max: plan.max };
}

/** Returns the jobs of a plan, each with the memory that it is expected to need or, without a limit, all that there can be. */
export function jobsOf(recipe: Recipe, plan: ResizePlan, info: ImageInfo, hasNoLimit = false): ResizeJob[] {
  const needed = jobMemory(info, { ...plan, coding: recipe.coding, ringing: recipe.ringing });
  return jobsFor(recipe, plan, hasNoLimit ? ADDRESSABLE_BYTES : needed);
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

/** Whether the item cannot have the requested size. */
export function isImpossible(item: Item, recipe: Recipe | null): boolean {
  const plan = planOf(item, recipe);
  return plan?.kind === 'huge' || plan?.kind === 'too-long';
}

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
