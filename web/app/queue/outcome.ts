// The sentences under the buttons: where the queue stands, for the eye and for the live regions alike.

import { formatBytes } from '../../domain/bytes.ts';
import type { Saying } from '../../i18n/index.ts';
import type { Status } from './queue.ts';
import { stageOf, type Tally } from './tally.ts';

export function outcomeSayings({ tally, run }: Status): Saying[] {
  const ready = tally.done + tally.kept;
  const saveReady: Saying[] = ready > 0 ? [{ key: 'status.saveReady' }] : [];
  switch (stageOf(tally, run)) {
    case 'done':
      return [...doneSayings(tally), ...saveReady];
    case 'some-failed':
      return [
        { key: 'status.someFailed', values: { done: tally.done, total: tally.total, failed: tally.failed } },
        ...keptSayings(tally),
        ...(tally.done > 0 ? sizeSayings(tally) : []),
        ...saveReady,
      ];
    case 'all-failed':
      return [{ key: 'status.allFailed' }];
    case 'cancelled':
      return [{ key: 'status.cancelled', values: { done: ready, total: tally.total } }, ...saveReady];
    case 'stale':
      return [{ key: 'status.stale' }];
    case 'reading':
      return [{ key: 'status.reading', values: { count: tally.reading } }];
    case 'loaded':
      return tally.unusable > 0 ? [{ key: 'status.unusable', values: { count: tally.unusable } }] : [];
    case 'empty':
    case 'running':
      return [];
  }
}

function doneSayings(tally: Tally): Saying[] {
  const resized: Saying[] = tally.done > 0 ? [{ key: 'status.done', values: { count: tally.done } }] : [];
  return [...resized, ...keptSayings(tally), ...(tally.done > 0 ? sizeSayings(tally) : [])];
}

function keptSayings({ kept }: Tally): Saying[] {
  return kept > 0 ? [{ key: 'status.done.kept', values: { count: kept } }] : [];
}

/** `86.4MB → 12.1MB (86% smaller).` */
function sizeSayings({ before, after }: Tally): Saying[] {
  if (before === 0 || after === 0) return [];
  const values = { before: formatBytes(before, 1), after: formatBytes(after, 1) };
  const { smaller, share } = changeOf(before, after);
  if (share === 0) return [{ key: 'status.done.same', values }];
  return [{ key: smaller ? 'status.done.smaller' : 'status.done.larger', values: { ...values, share } }];
}

/** By how much bytes changed: a share of what they were, in whole percent. */
export function changeOf(before: number, after: number): { readonly smaller: boolean; readonly share: number } {
  const share = before === 0 ? 0 : Math.round((Math.abs(after - before) / before) * 100) / 100;
  return { smaller: after < before, share };
}
