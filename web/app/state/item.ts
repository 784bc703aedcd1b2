// The nouns of the queue: an item is a file that somebody added, its phase is where it stands.

import { FORMATS, type Format, type WritableFormat } from '../../domain/formats.ts';
import type { MetadataPolicy } from '../../domain/job.ts';
import { jobsFor } from '../../domain/jobs.ts';
import type { KeptReason } from '../../domain/keep.ts';
import { jobMemory } from '../../domain/memory.ts';
import type { Size } from '../../domain/picture.ts';
import { type HugePlan, type Plan, planFor, type ResizePlan, type TooLongPlan } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import type { Failure, ImageInfo, ResizeJob, ResizeResult } from '../../engine/index.ts';

export type ItemId = number;

/** Why an item has no result: what the engine says, or what the plan says before the engine is asked. */
export type ItemFailure =
  | Failure
  /** The wished size is longer than the format can hold. */
  | { readonly code: 'too-long'; readonly format: WritableFormat; readonly max: number }
  /** The picture would grow to a size that nobody means. */
  | { readonly code: 'huge'; readonly size: Size };

/** What the plan says of a picture that it gives no job for. */
export function planFailure(plan: TooLongPlan | HugePlan): ItemFailure {
  if (plan.kind === 'huge') return { code: 'huge', size: plan.size };
  return { code: 'too-long', format: plan.format, max: plan.max };
}

export type Phase =
  | { readonly phase: 'reading' }
  | { readonly phase: 'ready' }
  | { readonly phase: 'waiting' }
  | { readonly phase: 'running'; readonly fraction: number }
  /** `resultKey` tells whether the settings have changed since: see `resultKeyOf`. */
  | { readonly phase: 'done'; readonly outputs: OutputFiles; readonly resultKey: string; readonly saved: boolean }
  /** The original's pixels. `result` is the file with other metadata; null where the original itself is the result. */
  | {
      readonly phase: 'kept';
      readonly reason: KeptReason;
      readonly rewrittenFor: MetadataPolicy | null;
      readonly resultKey: string;
      readonly result: ResizeResult | null;
    }
  /** `resultKey` is null where the file itself cannot be used, whatever is wished for. */
  | { readonly phase: 'failed'; readonly failure: ItemFailure; readonly resultKey: string | null };

/** What became of a file, or of one of its pictures. */
export interface OutputFile extends ResizeResult {
  /** The page, frame or icon entry that it was made from, or the first of them, counted from 0. */
  readonly frame: number;
}

/** One file, or one for each page where the format holds no more. */
export type OutputFiles = readonly [OutputFile, ...OutputFile[]];

export interface Item {
  readonly id: ItemId;
  readonly file: File;
  /** Folders and name as they were added: `holiday/IMG_0012.JPG`. */
  readonly path: string;
  /** Null until the header has been read. */
  readonly info: ImageInfo | null;
  readonly phase: Phase;
}

/** A file with the folders it came in. */
export interface AddedFile {
  readonly file: File;
  readonly path: string;
}

/** What a drop, a paste or a file dialog gave. */
export interface AddedFiles {
  readonly files: readonly AddedFile[];
  /** The names of folders in which no image was found. */
  readonly emptyFolders: readonly string[];
}

export function nameOf({ path }: Pick<Item, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What the recipe will make of the item; null where the file cannot be used, or no recipe can be read. */
export const planOf = remembered((item, recipe): Plan | null => {
  if (item.info === null || recipe === null || isUnusable(item)) return null;
  return planFor(recipe, item.info);
});

function isUnusable({ phase }: Item): boolean {
  return phase.phase === 'failed' && phase.resultKey === null;
}

export function jobsOf(recipe: Recipe, plan: ResizePlan, info: ImageInfo): ResizeJob[] {
  return jobsFor(recipe, plan, jobMemory(info, plan));
}

/**
 * What the recipe asks for this item, as a key: two recipes with the same key make the same file. A setting that is
 * changed and changed back, or that does not concern an item, leaves its result valid.
 */
export function resultKeyOf(item: Item, recipe: Recipe): string {
  const plan = planOf(item, recipe);
  return JSON.stringify(plan?.kind === 'resize' ? jobsFor(recipe, plan, 0) : plan);
}

/** Whether a result stands that today's settings would not make. */
export const isStale = remembered((item, recipe): boolean => {
  const { phase } = item;
  if (recipe === null || !('resultKey' in phase) || phase.resultKey === null) return false;
  return phase.resultKey !== resultKeyOf(item, recipe);
});

/** Whether pressing the button would do something to this item. */
export function isPending(item: Item, recipe: Recipe | null): boolean {
  return item.phase.phase === 'ready' || isStale(item, recipe);
}

/** Whether another try can end differently although nothing was changed. */
export function isRetryable({ phase }: Item): boolean {
  if (phase.phase !== 'failed' || phase.resultKey === null) return false;
  return RETRYABLE.has(phase.failure.code);
}

/** What depends on the device and the moment, not on the file. */
const RETRYABLE: ReadonlySet<ItemFailure['code']> = new Set([
  'crashed',
  'memory',
  'write',
  'part-missing',
  'cancelled',
]);

/** The files that saving would write for this item. */
export function outputBlobs({ file, phase }: Item): readonly Blob[] {
  if (phase.phase === 'done') return phase.outputs.map(({ blob }) => blob);
  return phase.phase === 'kept' ? [phase.result?.blob ?? file] : [];
}

/** Bytes of several files together. */
export function bytesOf(blobs: readonly Blob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0);
}

/** The name of a format for people. */
export function formatName(format: Format): string {
  return FORMATS[format].name;
}

/**
 * The last answer for each item. Items never change, they are replaced: of a thousand that are counted after one of
 * them has finished, one is computed.
 */
function remembered<R>(compute: (item: Item, recipe: Recipe | null) => R): (item: Item, recipe: Recipe | null) => R {
  const answers = new WeakMap<Item, { readonly recipe: Recipe | null; readonly answer: R }>();
  return (item, recipe) => {
    const known = answers.get(item);
    if (known?.recipe === recipe) return known.answer;
    const answer = compute(item, recipe);
    answers.set(item, { recipe, answer });
    return answer;
  };
}
