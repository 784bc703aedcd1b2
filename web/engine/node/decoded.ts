// Formats in Node that the core does not read: their modules decode them, on the calling thread.

import { FORMATS, type Reader } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import * as avif from '../avif/avif.js';
import * as heic from '../heic/heic.js';
import * as jxl from '../jxl/jxl.js';
import type {
  CoreFailure,
  DecoderOptions,
  ProbeAnswer,
  RunAnswer,
  Sink,
  Source,
  StepsAnswer,
} from '../shared/core-types.ts';
import { decoderOptions } from '../shared/decoder-options.ts';
import { ofDrawings } from '../shared/drawings.ts';
import * as svg from '../svg/svg.js';
import { moduleAt } from './module.ts';

/** The functions of such a module. */
interface Glue {
  initSync(from: { module: WebAssembly.Module }): unknown;
  memoryBytes(): number;
  probe(source: Source, memory: number): ProbeAnswer;
  readonly Codec: {
    decoder(
      source: Source,
      rows: Sink,
      options: DecoderOptions,
      device?: undefined,
      parts?: ResizeJob['parts'],
    ): Decoder;
  };
  /** Resizes a file that stays in the module's own format, if the module can write it. */
  resize?(source: Source, sink: Sink, job: ResizeJob): RunAnswer;
}

interface Decoder {
  step(): StepsAnswer | undefined;
  free(): void;
}

/** A module that reads formats. */
type Name = Exclude<Reader, 'core'>;

const GLUE: Readonly<Record<Name, Glue>> = {
  avif,
  heic,
  jxl,
  svg: {
    ...svg,
    Codec: {
      decoder: (source, rows, { memory }, _device, parts = []) => svg.Codec.decoder(source, rows, [...parts], memory),
    },
  },
};

const WASM: Readonly<Record<Name, URL>> = {
  avif: new URL('../avif/avif_bg.wasm', import.meta.url),
  heic: new URL('../heic/heic_bg.wasm', import.meta.url),
  jxl: new URL('../jxl/jxl_bg.wasm', import.meta.url),
  svg: new URL('../svg/svg_bg.wasm', import.meta.url),
};

const loaded = new Set<Name>();

/** Returns the functions of a module, which is compiled at the first call. */
function load(name: Name): Glue {
  if (!loaded.has(name)) GLUE[name].initSync({ module: moduleAt(WASM[name]) });
  loaded.add(name);
  return GLUE[name];
}

/** A file that another module reads. */
export interface Foreign {
  readonly format: keyof typeof FORMATS;
  readonly reader: Name;
}

/** The file that the core recognised and did not read; null if no other module reads it. */
export function foreign(answer: object): Foreign | null {
  const failure = 'failure' in answer ? (answer.failure as CoreFailure) : null;
  if (failure?.code !== 'unsupported') return null;
  const { format } = failure;
  const { reader } = FORMATS[format];
  return reader === null || reader === 'core' ? null : { format, reader };
}

/** Reads the header of a file. */
export function probeForeign({ reader }: Foreign, file: Source, memory: number): ProbeAnswer {
  return load(reader).probe(file, memory);
}

/** Resizes a file that stays in its format. */
export function resizeForeign({ reader }: Foreign, file: Source, sink: Sink, job: ResizeJob): RunAnswer {
  const { resize } = load(reader);
  if (resize === undefined) throw new Error(`the module ${reader} writes no files`);
  return resize(file, sink, job);
}

/** The bytes of the memory of all loaded modules, which never shrinks. */
export function heldByModules(): number {
  return [...loaded].reduce((sum, name) => sum + GLUE[name].memoryBytes(), 0);
}

/** The value that makes the core repeat the call after the next step. */
const NOT_YET = -1;

/** The pictures of a file as raw rows. They are decoded between the steps of the job, which reads them forwards. */
export class DecodedRows implements Source {
  /** The job for the rows. */
  readonly job: ResizeJob;
  readonly #decoder: Decoder;
  #bytes = new Uint8Array(0);
  /** The offset of the first byte that is kept. */
  #start = 0;
  /** The end of the last request. */
  #wanted = 0;
  #hasEnded = false;

  constructor({ format, reader }: Foreign, file: Source, job: ResizeJob) {
    this.job = FORMATS[format].isDrawing ? ofDrawings(job) : job;
    this.#decoder = load(reader).Codec.decoder(file, this.#sink(), decoderOptions(job), undefined, job.parts);
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

  /** Decodes the rows of the last request. Returns the failure of the file. */
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
