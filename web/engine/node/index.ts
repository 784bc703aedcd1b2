// The engine in Node: synchronous calls on bytes in memory, on the calling thread. The first call compiles the core. It
// is the export `/node` of the package `dist/engine`.

import fs from 'node:fs';
import { FORMATS } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import { Codec, Run as CoreRun, initSync, memoryBytes, probe as probeHeader, Staged } from '../core/core.js';
import type { ImageInfo, Report, RunAnswer, Sink, Source } from '../shared/core-types.ts';
import type { Outcome } from '../shared/failure.ts';
import { Libwebp } from '../shared/libwebp.ts';

export type { ResizeJob } from '../../domain/job.ts';
export { jobMemory } from '../../domain/memory.ts';
export { uprightSize } from '../../domain/picture.ts';
export type { ImageInfo, Report, Source } from '../shared/core-types.ts';
export { type Failed, type Failure, isFailed, type Outcome } from '../shared/failure.ts';

/** A report with the bytes of the written file. */
export interface NodeResult extends Report {
  readonly bytes: Uint8Array;
}

/** The memory limit for reading a header, as on a page: enough for the largest colour profile. */
const PROBE_MEMORY = 64 << 20;

/** Reads the header of an image. `memory` is the limit in bytes. */
export function probe(image: Uint8Array | Source, memory = PROBE_MEMORY): Outcome<ImageInfo> {
  load();
  const answer = probeHeader(sourceOf(image), memory);
  return 'ok' in answer ? answer.ok : answer;
}

/** Runs a job and returns after the file is written. */
export function run(image: Uint8Array | Source, job: ResizeJob): Outcome<NodeResult> {
  load();
  const sink = new MemorySink();
  const runIn = FORMATS[job.output.format].encoder.module === undefined ? runInCore : runWithLibwebp;
  const answer = runIn(sourceOf(image), sink, job);
  return 'ok' in answer ? { ...answer.ok, bytes: sink.bytes() } : answer;
}

function runInCore(image: Source, sink: MemorySink, job: ResizeJob): RunAnswer {
  const coreRun = new CoreRun(image, sink, job);
  const answer = lastStep(coreRun);
  coreRun.free();
  return answer;
}

/** Collects the rows of the job, then writes them. */
function runWithLibwebp(image: Source, sink: MemorySink, job: ResizeJob): RunAnswer {
  const rows = new MemorySink();
  const staged = new Staged(image, rows, job);
  const staging = lastStep(staged);
  if ('failure' in staging) return staging;
  libwebp ??= new Libwebp(moduleOf(new URL('../webp/webp_bg.wasm', import.meta.url)));
  const encoder = Codec.encoder(sourceOf(rows.bytes()), sink, job, libwebp);
  const encoding = lastStep(encoder);
  encoder.free();
  if ('failure' in encoding) return encoding;
  const answer = staged.verify(sourceOf(sink.bytes()));
  staged.free();
  return answer;
}

function lastStep<Answer>(job: { step(): Answer | undefined }): Answer {
  for (;;) {
    const answer = job.step();
    if (answer !== undefined) return answer;
  }
}

/** Returns the size of the core's WebAssembly memory in bytes; it never shrinks. */
export function heldMemory(): number {
  load();
  return memoryBytes();
}

let isLoaded = false;
/** Loaded for the first WebP that is written. */
let libwebp: Libwebp | undefined;

function load(): void {
  if (isLoaded) return;
  initSync({ module: moduleOf(new URL('../core/core_bg.wasm', import.meta.url)) });
  isLoaded = true;
}

function moduleOf(url: URL): WebAssembly.Module {
  return new WebAssembly.Module(fs.readFileSync(url));
}

function sourceOf(image: Uint8Array | Source): Source {
  if (!(image instanceof Uint8Array)) return image;
  return {
    byteLen: () => image.length,
    readAt(offset, into) {
      const part = image.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
  };
}

/** A file in memory, in the chunks that were written. */
class MemorySink implements Sink {
  #chunks: Buffer[] = [];

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  write(chunk: Uint8Array): void {
    this.#chunks.push(Buffer.from(chunk));
  }

  patch(offset: number, bytes: Uint8Array): void {
    const whole = this.bytes();
    whole.set(bytes, offset);
    this.#chunks = [whole];
  }

  reread(): Source {
    return sourceOf(this.bytes());
  }

  progress(): void {
    // The caller waits for the result and cannot show progress.
  }
}
