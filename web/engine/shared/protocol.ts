// The messages between page and worker. Types only. A worker has one task at a time, so messages need no ids. Messages
// of a terminated worker are ignored.

import type { EncoderModule, Reader } from '../../domain/formats.ts';
import type { Part, ResizeJob } from '../../domain/job.ts';
import type { CopyChanges } from '../../domain/plan.ts';
import type { CoreFailure, DecoderOptions, ImageInfo, Report } from './core-types.ts';

/** The first message to a worker: its wasm module as compiled by the page, so that the worker needs no network. */
export interface Start {
  readonly kind: 'start';
  readonly module: WebAssembly.Module;
  /** The module that encodes pictures for the worker's own module. */
  readonly library?: WebAssembly.Module | undefined;
  /** The port of the thread that reads files for this worker; null if it has none. */
  readonly readingThread: MessagePort | null;
}

/** Runs the hot loops until the browser has optimised them. A task that arrives in the meantime runs first. */
export interface Warm {
  readonly kind: 'warm';
}

export interface ProbeTask {
  readonly kind: 'probe';
  readonly file: Blob;
  /** The bytes of memory that reading the header may use. */
  readonly memory: number;
}

export interface RunTask {
  readonly kind: 'run';
  /** The file, or the port through which another worker sends its rows. */
  readonly file: Blob | MessagePort;
  readonly job: ResizeJob;
  /** For the page: the module that reads the file instead of the core. */
  readonly decoder?: Decoder | undefined;
  /** For the page: the module that encodes the pictures instead of the core. */
  readonly encoder?: EncoderModule | undefined;
}

/** What a module outside the core does for a job. */
export interface Decoder {
  readonly name: Reader;
  /**
   * `rows`: sends the images to the core as they are stored; `drawing`: sends each part of the job drawn at its target
   * size; `file`: writes the result itself, because it has the format of the source.
   */
  readonly gives: 'rows' | 'drawing' | 'file';
}

/** Decodes a file for another worker. */
export interface DecodeTask {
  readonly kind: 'decode';
  readonly file: Blob;
  /** The port to which the rows are sent. */
  readonly rows: MessagePort;
  /** The images that the job needs. A module that draws draws each of them at its target size. */
  readonly parts: Part[];
  readonly options: DecoderOptions;
}

/** Runs a job whose file another worker writes. It ends after `verify`. */
export interface StageTask {
  readonly kind: 'stage';
  readonly file: Blob | MessagePort;
  readonly job: ResizeJob;
  /** The port to which the rows are sent. */
  readonly rows: MessagePort;
}

/** Writes the file of a job whose rows another worker sends. */
export interface EncodeTask {
  readonly kind: 'encode';
  readonly rows: MessagePort;
  readonly job: ResizeJob;
}

/** Follows a `stage` task: the file that the other worker wrote, which is compared with the job. */
export interface Verify {
  readonly kind: 'verify';
  readonly file: Blob;
}

/** Copies a file with other metadata, or turned, without encoding its pixels again. */
export interface RewriteMetadataTask {
  readonly kind: 'rewriteMetadata';
  readonly file: Blob;
  readonly changes: CopyChanges;
  /** The bytes of memory that copying may use. */
  readonly memory: number;
  /** For the page: the module that first unpacks the file's metadata. */
  readonly unpacker?: Reader | undefined;
}

/** Copies a file with plain metadata instead of compressed ones, which the core cannot read. */
export interface UnpackTask {
  readonly kind: 'unpack';
  readonly file: Blob;
  /** The bytes of memory that unpacking may use. */
  readonly memory: number;
}

export type Task = ProbeTask | RunTask | RewriteMetadataTask | UnpackTask | DecodeTask | StageTask | EncodeTask;
export type ToWorker = Start | Warm | Task | Verify;

/** The written file and the report about it. */
export interface ResizeResult extends Report {
  readonly blob: Blob;
}

/** The result of each kind of task. */
export interface ResultOf {
  readonly probe: ImageInfo;
  readonly run: ResizeResult;
  readonly rewriteMetadata: ResizeResult;
  readonly unpack: Blob;
  readonly decode: null;
  readonly stage: ResizeResult;
  readonly encode: Blob;
}

export type FromWorker<Result> =
  /** The answer to `start`. */
  | { readonly kind: 'started' }
  /** The core belongs to another build than this worker. */
  | { readonly kind: 'unusable'; readonly detail: string }
  | { readonly kind: 'warmed' }
  | { readonly kind: 'progress'; readonly fraction: number }
  /** The end of the task. `memory` is the size of the linear memory in bytes, which never shrinks. */
  | { readonly kind: 'done'; readonly result: Result; readonly memory: number }
  | { readonly kind: 'failed'; readonly failure: CoreFailure; readonly memory: number }
  /** The core has trapped: this worker cannot be used again. */
  | { readonly kind: 'crashed'; readonly detail: string };
