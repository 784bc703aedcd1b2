// The queue at a glance, and from it the state of the screen. Arithmetic only.

import type { Format } from '../../domain/formats.ts';
import { entrySides } from '../../domain/icons.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { bytesOf, type Item, isPending, isRetryable, isStale, outputsOf } from './item.ts';

export interface Tally {
  readonly total: number;
  /** Of all files together. */
  readonly bytes: number;
  /** Files of several pages. */
  readonly paged: number;
  /** Sides of the pictures in icons that hold several, ascending. */
  readonly entries: readonly number[];
  /** What the files are. */
  readonly formats: ReadonlySet<Format>;
  readonly reading: number;
  readonly busy: number;
  readonly done: number;
  readonly kept: number;
  readonly failed: number;
  /** Of the failed: those that no setting can help. */
  readonly unusable: number;
  /** Of the failed: those that another try may help. */
  readonly retryable: number;
  /** What the button would work on. */
  readonly pending: number;
  readonly stale: number;
  /** Results that would be lost by leaving. */
  readonly unsaved: number;
  /** Of the files that have an output: their bytes before and after. */
  readonly before: number;
  readonly after: number;
}

/** How the last run ended, or that it goes on. */
export type Run =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly total: number; readonly finished: number }
  | { readonly state: 'finished' }
  | { readonly state: 'cancelled' };

export function tallyOf(items: Iterable<Item>, recipe: Recipe | null): Tally {
  const entries = new Set<number>();
  const formats = new Set<Format>();
  const tally = {
    total: 0,
    bytes: 0,
    paged: 0,
    reading: 0,
    busy: 0,
    done: 0,
    kept: 0,
    failed: 0,
    unusable: 0,
    retryable: 0,
    pending: 0,
    stale: 0,
    unsaved: 0,
    before: 0,
    after: 0,
  };
  for (const item of items) {
    const { phase } = item;
    const outputs = outputsOf(item);
    tally.total += 1;
    tally.bytes += item.file.size;
    if (item.info !== null) formats.add(item.info.format);
    if (item.info?.sequence === 'pages') tally.paged += 1;
    if (item.info?.sequence === 'sizes') for (const side of entrySides(item.info)) entries.add(side);
    if (isPending(item, recipe)) tally.pending += 1;
    if (isStale(item, recipe)) tally.stale += 1;
    if (outputs.length > 0) {
      tally.before += item.file.size;
      tally.after += bytesOf(outputs);
    }
    if (phase.phase === 'reading') tally.reading += 1;
    else if (phase.phase === 'waiting' || phase.phase === 'running') tally.busy += 1;
    else if (phase.phase !== 'ready') tally[phase.phase] += 1;
    if (phase.phase === 'failed' && phase.wish === null) tally.unusable += 1;
    if (isRetryable(item)) tally.retryable += 1;
    if (phase.phase === 'done' && !phase.saved) tally.unsaved += 1;
  }
  return { ...tally, formats, entries: [...entries].sort((one, other) => one - other) };
}

export type Stage =
  | 'empty'
  | 'reading'
  | 'loaded'
  | 'running'
  | 'done'
  | 'some-failed'
  | 'all-failed'
  | 'cancelled'
  | 'stale';

export function stageOf(tally: Tally, run: Run): Stage {
  if (tally.total === 0) return 'empty';
  if (run.state === 'running') return 'running';
  if (tally.reading > 0) return 'reading';
  if (run.state === 'none') return 'loaded';
  if (tally.stale > 0) return 'stale';
  if (run.state === 'cancelled' && tally.pending > 0) return 'cancelled';
  if (tally.pending > 0) return 'loaded';
  if (tally.failed === 0) return 'done';
  return tally.done + tally.kept === 0 ? 'all-failed' : 'some-failed';
}

/** Which of the two main buttons stands out. */
export function mainAction(tally: Tally, stage: Stage): 'add' | 'resize' | 'save' {
  if (stage === 'empty') return 'add';
  if (stage === 'running' || stage === 'stale' || stage === 'reading') return 'resize';
  if (stage === 'cancelled') return tally.done + tally.kept > 0 ? 'save' : 'resize';
  return tally.pending === 0 && tally.done + tally.kept > 0 ? 'save' : 'resize';
}
