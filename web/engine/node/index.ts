// The engine in Node: synchronous calls on bytes in memory, on the calling thread. It is the export `/node` of the
// package `dist/engine`. The first call compiles the core; the first file that another module reads or writes compiles it.

import { type EncoderModule, encoderModuleOf, FORMATS } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import { Codec, Run as CoreRun, initSync, memoryBytes, probe as probeHeader, Staged } from '../core/core.js';
import type { CoreFailure, ImageInfo, PictureEncoder, Report, RunAnswer, Source } from '../shared/core-types.ts';
import type { Outcome } from '../shared/failure.ts';
import { Libavif } from '../shared/libavif.ts';
import { Libjxl } from '../shared/libjxl.ts';
import { Libwebp } from '../shared/libwebp.ts';
import { DecodedRows, type Foreign, foreign, heldByModules, probeForeign, resizeForeign } from './decoded.ts';
import { MemorySink, sourceOf } from './memory.mjs';
import { moduleAt } from './module.ts';

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
  const source = openSource(image);
  const first = probeHeader(source, memory);
  const file = foreign(first);
  const answer = file === null ? first : probeForeign(file, source, memory);
  return 'ok' in answer ? answer.ok : answer;
}

/** Runs a job and returns after the file is written. */
export function run(image: Uint8Array | Source, job: ResizeJob): Outcome<NodeResult> {
  load();
  const [source, sink] = [openSource(image), new MemorySink()];
  const first = write(source, sink, job);
  const file = foreign(first);
  const answer = file === null ? first : writeForeign(file, source, sink, job);
  return 'ok' in answer ? { ...answer.ok, bytes: sink.bytes() } : answer;
}

/** Returns the bytes of WebAssembly memory of the core and of the modules that read other formats; they never shrink. */
export function heldMemory(): number {
  load();
  return memoryBytes() + heldByModules();
}

let isLoaded = false;
/** The modules that encode pictures. */
const ENCODERS = {
  webp: { Library: Libwebp, wasm: new URL('../webp/webp_bg.wasm', import.meta.url) },
  'avif-encoder': { Library: Libavif, wasm: new URL('../avif-encoder/avif-encoder_bg.wasm', import.meta.url) },
  'jxl-encoder': { Library: Libjxl, wasm: new URL('../jxl-encoder/jxl-encoder_bg.wasm', import.meta.url) },
} as const satisfies Record<EncoderModule, unknown>;
/** Each is loaded for the first file that it writes. */
const libraries = new Map<EncoderModule, PictureEncoder>();

function load(): void {
  if (isLoaded) return;
  initSync({ module: moduleAt(new URL('../core/core_bg.wasm', import.meta.url)) });
  isLoaded = true;
}

function openSource(image: Uint8Array | Source): Source {
  return image instanceof Uint8Array ? sourceOf(image) : image;
}

/** A source of a job. Before each step of the job it may have to do something, such as decode more rows. */
interface JobSource extends Source {
  beforeStep?(): CoreFailure | undefined;
}

function write(source: JobSource, sink: MemorySink, job: ResizeJob): RunAnswer {
  const encoder = encoderModuleOf(job.output.format);
  return encoder === undefined ? runInCore(source, sink, job) : runWithEncoder(encoder, source, sink, job);
}

function writeForeign(file: Foreign, source: Source, sink: MemorySink, job: ResizeJob): RunAnswer {
  if (job.output.format === file.format && FORMATS[file.format].isDrawing)
    return resizeForeign(file, source, sink, job);
  const rows = new DecodedRows(file, source, job);
  const answer = write(rows, sink, rows.job);
  rows.free();
  return answer;
}

function runInCore(source: JobSource, sink: MemorySink, job: ResizeJob): RunAnswer {
  const coreRun = new CoreRun(source, sink, job);
  const answer = lastStep(coreRun, source);
  coreRun.free();
  return answer;
}

/** Collects the rows of the job, then writes them. */
function runWithEncoder(name: EncoderModule, source: JobSource, sink: MemorySink, job: ResizeJob): RunAnswer {
  const rows = new MemorySink();
  const staged = new Staged(source, rows, job);
  const staging = lastStep(staged, source);
  if ('failure' in staging) return staging;
  const { Library, wasm } = ENCODERS[name];
  const library = libraries.get(name) ?? new Library(moduleAt(wasm));
  libraries.set(name, library);
  const stagedRows = sourceOf(rows.bytes());
  const encoder = Codec.encoder(stagedRows, sink, job, library);
  const encoding = lastStep(encoder, stagedRows);
  encoder.free();
  if ('failure' in encoding) return encoding;
  const answer = staged.verify(sourceOf(sink.bytes()));
  staged.free();
  return answer;
}

function lastStep<Answer>(job: { step(): Answer | undefined }, source: JobSource): Answer | { failure: CoreFailure } {
  for (;;) {
    const answer = job.step();
    if (answer !== undefined) return answer;
    const failure = source.beforeStep?.();
    if (failure !== undefined) return { failure };
  }
}
