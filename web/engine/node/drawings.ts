// Drawings in Node: the module that draws SVG files, on the calling thread.

import type { ResizeJob } from '../../domain/job.ts';
import type { CoreFailure, RunAnswer, Sink, Source } from '../shared/core-types.ts';
import { ofDrawings } from '../shared/drawings.ts';
import { Codec, initSync, memoryBytes, probe, resize } from '../svg/svg.js';
import { moduleAt } from './module.ts';

let isLoaded = false;

/** Compiles the module at the first call. */
function load(): void {
  if (isLoaded) return;
  initSync({ module: moduleAt(new URL('../svg/svg_bg.wasm', import.meta.url)) });
  isLoaded = true;
}

/** Whether the core gave up on a file because it is a drawing. */
export function isDrawing(failure: CoreFailure): boolean {
  return failure.code === 'unsupported' && failure.format === 'svg';
}

/** Reads the size of a drawing. */
export function probeDrawing(drawing: Source, memory: number): ReturnType<typeof probe> {
  load();
  return probe(drawing, memory);
}

/** Writes a drawing with another size. */
export function resizeDrawing(drawing: Source, sink: Sink, job: ResizeJob): RunAnswer {
  load();
  return resize(drawing, sink, job);
}

/** The bytes of the SVG module's memory, which never shrinks; 0 before the first drawing. */
export function heldByDrawings(): number {
  return isLoaded ? memoryBytes() : 0;
}

/** The value that makes the core repeat the call after the next step. */
const NOT_YET = -1;

/** The pictures of a drawing as raw rows. They are drawn between the steps of the job, which reads them forwards. */
export class DrawnRows implements Source {
  /** The job for the rows. */
  readonly job: ResizeJob;
  readonly #decoder: Codec;
  #bytes = new Uint8Array(0);
  /** The offset of the first byte that is kept. */
  #start = 0;
  /** The end of the last request. */
  #wanted = 0;
  #hasEnded = false;

  constructor(drawing: Source, job: ResizeJob) {
    load();
    this.job = ofDrawings(job);
    this.#decoder = Codec.decoder(drawing, this.#sink(), [...job.parts], job.memory);
  }

  byteLen(): number {
    return Number.POSITIVE_INFINITY;
  }

  readAt(offset: number, into: Uint8Array): number {
    if (offset < this.#start) throw new RangeError('rows are read forwards only');
    this.#wanted = offset + into.length;
    if (!this.#hasEnded) {
      this.#bytes = this.#bytes.subarray(offset - this.#start);
      this.#start = offset;
    }
    if (this.#areMissing()) return NOT_YET;
    const from = offset - this.#start;
    const part = this.#bytes.subarray(from, from + into.length);
    into.set(part);
    return part.length;
  }

  /** Draws the rows of the last request. Returns the failure of the drawing. */
  beforeStep(): CoreFailure | undefined {
    while (this.#areMissing()) {
      const end = this.#decoder.step();
      if (end === undefined) continue;
      if ('failure' in end) return end.failure;
      this.#hasEnded = true;
    }
    return undefined;
  }

  free(): void {
    this.#decoder.free();
  }

  #areMissing(): boolean {
    return !this.#hasEnded && this.#wanted > this.#start + this.#bytes.length;
  }

  #sink(): Sink {
    return {
      write: (bytes) => {
        const kept = this.#bytes;
        this.#bytes = new Uint8Array(kept.length + bytes.length);
        this.#bytes.set(kept);
        this.#bytes.set(bytes, kept.length);
      },
      // Raw rows patch only their number of frames, which also follows from the end.
      patch: () => undefined,
      reread: () => {
        throw new Error('rows that were read are not kept');
      },
      progress: () => undefined,
    };
  }
}
