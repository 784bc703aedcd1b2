// Counts the items for the buttons, the status and the settings.

import type { Format } from '../../domain/formats.ts';
import { entrySides } from '../../domain/icons.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { type Counts, NO_COUNTS } from './counts.ts';
import { bytesOf, type Item, isRetryable, outputBlobs, skippedFrames } from './item.ts';
import { isImpossible, isPending, isStale } from './item-plan.ts';

export function countItems(items: Iterable<Item>, recipe: Recipe | null): Counts {
  const entries = new Set<number>();
  const formats = new Set<Format>();
  const counts = { ...NO_COUNTS };
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
    if (isPending(item, recipe)) {
      counts.pending += 1;
      if (isImpossible(item, recipe)) counts.impossible += 1;
    }
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
