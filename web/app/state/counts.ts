// Counts of the items, and the stage of the screen, which follows from them. The functions are pure.

import type { Format } from '../../domain/formats.ts';
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
  /** The number of those that cannot have the requested size. */
  readonly impossible: number;
  readonly stale: number;
  /** The number of results that have not been saved. */
  readonly unsaved: number;
  /** The total size of the files that have a result, before and after. */
  readonly before: number;
  readonly after: number;
}

/** The counts of an empty list. */
export const NO_COUNTS: Counts = {
  total: 0,
  bytes: 0,
  animated: 0,
  paged: 0,
  entries: [],
  formats: new Set(),
  reading: 0,
  busy: 0,
  done: 0,
  kept: 0,
  failed: 0,
  unusable: 0,
  retryable: 0,
  damaged: 0,
  pending: 0,
  impossible: 0,
  stale: 0,
  unsaved: 0,
  before: 0,
  after: 0,
};

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
