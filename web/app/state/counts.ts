// Counts of the items and the stage of the screen, which follows from them. The functions are pure.

import type { Format } from '../../domain/formats.ts';
import { entrySides } from '../../domain/icons.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { bytesOf, type Item, isPending, isRetryable, isStale, outputBlobs, skippedFrames } from './item.ts';
import type { RunState } from './run.ts';

export interface Counts {
  readonly total: number;
  /** The total size of all files in bytes. */
  readonly bytes: number;
  /** Files with several frames, and files with several pages. */
  readonly animated: number;
  readonly paged: number;
  /** The sides of the entries in icons that have several entries, ascending. */
  readonly entries: readonly number[];
  /** The formats of the files. */
  readonly formats: ReadonlySet<Format>;
  readonly reading: number;
  readonly busy: number;
  readonly done: number;
  readonly kept: number;
  readonly failed: number;
  /** The number of failed items that no change of settings can help. */
  readonly unusable: number;
  /** The number of failed items that can succeed on retry. */
  readonly retryable: number;
  /** The number of frames and pages that the results lack because they are damaged. */
  readonly damaged: number;
  /** The number of items that Resize Images would process. */
  readonly pending: number;
  readonly stale: number;
  /** The number of results that have not been saved. */
  readonly unsaved: number;
  /** The total size of the files that have a result, before and after. */
  readonly before: number;
  readonly after: number;
}

export function countItems(items: Iterable<Item>, recipe: Recipe | null): Counts {
  const entries = new Set<number>();
  const formats = new Set<Format>();
  const counts = {
    total: 0,
    bytes: 0,
    animated: 0,
    paged: 0,
    reading: 0,
    busy: 0,
    done: 0,
    kept: 0,
    failed: 0,
    unusable: 0,
    retryable: 0,
    damaged: 0,
    pending: 0,
    stale: 0,
    unsaved: 0,
    before: 0,
    after: 0,
  };
  for (const item of items) {
    const { phase } = item;
    const outputs = outputBlobs(item);
    counts.total += 1;
    counts.bytes += item.file.size;
    if (item.info !== null) formats.add(item.info.format);
    const sequence = item.info === null || item.info.frames === 1 ? 'single' : item.info.sequence;
    if (sequence === 'animation') counts.animated += 1;
    if (sequence === 'pages') counts.paged += 1;
    if (sequence === 'sizes' && item.info !== null) for (const side of entrySides(item.info)) entries.add(side);
    if (isPending(item, recipe)) counts.pending += 1;
    if (isStale(item, recipe)) counts.stale += 1;
    if (outputs.length > 0) {
      counts.before += item.file.size;
      counts.after += bytesOf(outputs);
    }
    if (phase.phase === 'done') {
      counts.damaged += skippedFrames(phase.outputs.flatMap(({ warnings }) => warnings))?.skipped ?? 0;
    }
    if (phase.phase === 'reading') counts.reading += 1;
    else if (phase.phase === 'waiting' || phase.phase === 'running') counts.busy += 1;
    else if (phase.phase !== 'ready') counts[phase.phase] += 1;
    if (isRetryable(item)) counts.retryable += 1;
    else if (phase.phase === 'failed' && phase.resultKey === null) counts.unusable += 1;
    if (phase.phase === 'done' && !phase.saved) counts.unsaved += 1;
  }
  return { ...counts, formats, entries: [...entries].sort((one, other) => one - other) };
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

export function stageOf(counts: Counts, run: RunState): Stage {
  if (counts.total === 0) return 'empty';
  if (run.state === 'running') return 'running';
  if (counts.reading > 0) return 'reading';
  if (run.state === 'none') return 'loaded';
  if (run.state === 'cancelled' && counts.pending > 0) return 'cancelled';
  if (counts.stale > 0) return 'stale';
  if (counts.pending > 0) return 'loaded';
  if (counts.failed === 0) return 'done';
  return counts.done + counts.kept === 0 ? 'all-failed' : 'some-failed';
}

/** Returns the main button that is emphasised. */
export function mainAction(counts: Counts, stage: Stage): 'add' | 'resize' | 'save' {
  if (stage === 'empty') return 'add';
  if (stage === 'running' || stage === 'stale' || stage === 'reading') return 'resize';
  if (stage === 'cancelled') return counts.done + counts.kept > 0 ? 'save' : 'resize';
  return counts.pending === 0 && counts.done + counts.kept > 0 ? 'save' : 'resize';
}
