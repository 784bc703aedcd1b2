// The messages about the whole queue, under the buttons and in the live regions.

import type { Message } from '../../i18n/messages.ts';
import { type Counts, stageOf } from './counts.ts';
import type { Status } from './queue.ts';

const STALE: Message[] = [{ key: 'status.stale' }];

export function statusMessages({ counts, run }: Status): Message[] {
  const ready = counts.done + counts.kept;
  const saveReady: Message[] = ready > 0 ? [{ key: 'status.saveReady' }] : [];
  switch (stageOf(counts, run)) {
    case 'done':
      return [...doneMessages(counts), ...saveReady];
    case 'some-failed':
      return [
        { key: 'status.someFailed', values: { done: counts.done, total: counts.total, failed: counts.failed } },
        ...keptMessages(counts),
        ...damagedMessages(counts),
        ...(counts.done > 0 ? sizeMessages(counts) : []),
        ...saveReady,
      ];
    case 'all-failed':
      return [{ key: 'status.allFailed' }];
    case 'cancelled':
      return [
        { key: 'status.cancelled', values: { done: ready, total: counts.total } },
        ...(counts.stale > 0 ? STALE : saveReady),
      ];
    case 'stale':
      return STALE;
    case 'reading':
      return [{ key: 'status.reading', values: { count: counts.reading } }];
    case 'loaded':
      return counts.unusable > 0 ? [{ key: 'status.unusable', values: { count: counts.unusable } }] : [];
    case 'empty':
    case 'running':
      return [];
  }
}

function doneMessages(counts: Counts): Message[] {
  const resized: Message[] = counts.done > 0 ? [{ key: 'status.done', values: { count: counts.done } }] : [];
  return [
    ...resized,
    ...keptMessages(counts),
    ...damagedMessages(counts),
    ...(counts.done > 0 ? sizeMessages(counts) : []),
  ];
}

function keptMessages({ kept }: Counts): Message[] {
  return kept > 0 ? [{ key: 'status.done.kept', values: { count: kept } }] : [];
}

function damagedMessages({ damaged }: Counts): Message[] {
  return damaged > 0 ? [{ key: 'status.done.damaged', values: { count: damaged } }] : [];
}

/** Returns the message `86.4MB → 12.1MB (86% smaller).` */
function sizeMessages({ before, after }: Counts): Message[] {
  if (before === 0 || after === 0) return [];
  const values = { before: { bytes: before, decimals: 1 }, after: { bytes: after, decimals: 1 } };
  const { smaller, share } = changeOf(before, after);
  if (share === 0) return [{ key: 'status.done.same', values }];
  return [{ key: smaller ? 'status.done.smaller' : 'status.done.larger', values: { ...values, share } }];
}

/** Returns the change of a size in bytes as a fraction of whole percent, rounded; nothing is 100 % smaller. */
export function changeOf(before: number, after: number): { readonly smaller: boolean; readonly share: number } {
  const smaller = after < before;
  const share = before === 0 ? 0 : Math.round((Math.abs(after - before) / before) * 100) / 100;
  return { smaller, share: smaller ? Math.min(share, 0.99) : share };
}
