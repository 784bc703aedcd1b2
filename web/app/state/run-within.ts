// Runs a job with the best quality at which its file is not larger than a limit.

import type { ResizeJob } from '../../domain/job.ts';
import { MOST_ATTEMPTS, searchQuality } from '../../domain/quality-search.ts';
import type { Engine, Outcome, ResizeResult } from '../../engine/index.ts';
import { isFailed } from '../../engine/lazy.ts';
import type { WorkOptions } from './item-work.ts';

/** A result, and the limit in bytes if it exceeds it. */
export interface LimitedResult extends ResizeResult {
  readonly exceeds?: number;
}

/** Resolves to the best file within the limit; to the smallest one if there is none. */
export async function runWithin(
  engine: Engine,
  file: Blob,
  job: ResizeJob,
  limit: number,
  { signal, onProgress }: WorkOptions,
): Promise<Outcome<LimitedResult>> {
  const { output } = job;
  if (!('quality' in output)) throw new Error(`${output.format} has no quality`);
  const search = searchQuality({
    limit,
    highest: output.quality ?? 100,
    lowest: output.format === 'webp' ? 0 : 1,
    splitsColor: output.format === 'jpeg' && output.subsampling === 'auto',
    savesByEffort: output.format === 'webp' && output.effort !== 'smallest',
  });
  let best: ResizeResult | null = null;
  let step = search.next();
  for (let attempt = 0; !step.done; attempt += 1) {
    const outcome = await engine.run(
      file,
      { ...job, output: { ...output, ...step.value } },
      { signal, onProgress: ({ fraction }) => onProgress((attempt + fraction) / MOST_ATTEMPTS) },
    );
    if (isFailed(outcome)) return outcome;
    const isWithin = outcome.byteLength <= limit;
    const bestIsWithin = best !== null && best.byteLength <= limit;
    // The bytes do not grow with the quality at every step, so a lower quality is not better for its bytes.
    if (isWithin ? !bestIsWithin || outcome.byteLength > (best?.byteLength ?? 0) : !bestIsWithin) best = outcome;
    step = search.next(outcome.byteLength);
  }
  if (best === null) throw new Error('a search made no attempt');
  onProgress(1);
  return best.byteLength <= limit ? best : { ...best, exceeds: limit };
}
