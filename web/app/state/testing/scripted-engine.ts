// An engine for tests that answers when the test calls `answer`. Like the real engine it never rejects, and it answers
// aborted calls with `cancelled`.

import type { ResizeJob } from '../../../domain/job.ts';
import type { CopyChanges } from '../../../domain/plan.ts';
import type { Engine, Failure, ImageInfo, Progress, ResizeResult, RunOptions } from '../../../engine/index.ts';

interface Call<T> {
  readonly file: File;
  readonly answer: (outcome: T | { failure: Failure }) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

export interface RunCall extends Call<ResizeResult> {
  readonly job: ResizeJob;
  readonly report: (progress: Progress) => void;
}

export interface RewriteMetadataCall extends Call<ResizeResult> {
  readonly changes: CopyChanges;
}

export class ScriptedEngine implements Engine {
  readonly memory = 1 << 30;
  /** The pending calls, the oldest first. */
  readonly probes: Call<ImageInfo>[] = [];
  readonly runs: RunCall[] = [];
  readonly metadataRewrites: RewriteMetadataCall[] = [];

  probe(file: Blob, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<ImageInfo | { failure: Failure }> {
    return this.#call(this.probes, signal, (answer) => ({ file: asFile(file), answer, signal }));
  }

  run(file: Blob, job: ResizeJob, options: RunOptions = {}): Promise<ResizeResult | { failure: Failure }> {
    const { signal, onProgress } = options;
    const report = (progress: Progress) => onProgress?.(progress);
    return this.#call(this.runs, signal, (answer) => ({ file: asFile(file), job, answer, report, signal }));
  }

  rewriteMetadata(
    file: Blob,
    changes: CopyChanges,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<ResizeResult | { failure: Failure }> {
    return this.#call(this.metadataRewrites, signal, (answer) => ({ file: asFile(file), changes, answer, signal }));
  }

  async warm(): Promise<void> {}

  dispose(): void {}

  /** Answers every pending probe. */
  async probeAll(info: ImageInfo | { failure: Failure }): Promise<void> {
    for (const call of this.probes.splice(0)) await call.answer(info);
  }

  /** Answers the oldest pending run. */
  async finish(outcome: ResizeResult | { failure: Failure }): Promise<void> {
    const call = this.runs.shift();
    if (call === undefined) throw new Error('no run is pending');
    await call.answer(outcome);
  }

  #call<T, C extends Call<T>>(
    calls: C[],
    signal: AbortSignal | undefined,
    make: (answer: Call<T>['answer']) => C,
  ): Promise<T | { failure: Failure }> {
    return new Promise((resolve) => {
      const call = make(async (outcome) => {
        resolve(outcome);
        await promisesSettled();
      });
      calls.push(call);
      signal?.addEventListener('abort', () => {
        const place = calls.indexOf(call);
        if (place >= 0) calls.splice(place, 1);
        resolve({ failure: { code: 'cancelled', detail: 'aborted by the test' } });
      });
    });
  }
}

/** Lets all code continue that awaits the answer, directly or through other promises. */
async function promisesSettled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function asFile(file: Blob): File {
  if (!(file instanceof File)) throw new Error('the queue must pass a File');
  return file;
}

export function pictureInfo(width: number, height: number, part: Partial<ImageInfo> = {}): ImageInfo {
  return {
    format: 'jpeg',
    width,
    height,
    frames: 1,
    sequence: 'single',
    frameSizes: [],
    metadata: 'none',
    depth: 8,
    storedDepth: 8,
    channels: 3,
    orientation: 1,
    icc: false,
    alpha: false,
    quality: 90,
    workingSet: 1 << 20,
    hasPalette: false,
    hasGainMap: false,
    warnings: [],
    ...part,
  };
}

export function resultOf(job: ResizeJob, bytes = 100): ResizeResult {
  return {
    blob: new Blob([new Uint8Array(bytes)]),
    format: job.output.format,
    ...(job.parts[0]?.target ?? { width: 0, height: 0 }),
    frames: job.parts.length,
    byteLength: bytes,
    crc32: 0x1234_5678,
    warnings: [],
    memory: 1 << 20,
  };
}

export function fileNamed(name: string, bytes = 1000): File {
  return new File([new Uint8Array(bytes)], name);
}
