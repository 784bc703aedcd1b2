// The messages between page and worker. Types only. A worker has one task at a time, so messages need no ids; messages
// of a worker that has been ended are ignored.

import type { MetadataPolicy, ResizeJob } from '../../domain/job.ts';
import type { CoreFailure, ImageInfo, Report } from './core-types.ts';

/** The first message to a worker: the core, compiled by the page, so that the worker needs no network. */
export interface Start {
  readonly kind: 'start';
  readonly module: WebAssembly.Module;
}

/** Runs the hot loops until the browser has optimised them; a task that comes meanwhile is done first. */
export interface Warm {
  readonly kind: 'warm';
}

export interface ProbeTask {
  readonly kind: 'probe';
  readonly file: Blob;
  /** Bytes of memory that reading the header may use. */
  readonly memory: number;
}

export interface RunTask {
  readonly kind: 'run';
  /** The file, or the port through which another worker sends its rows. */
  readonly file: Blob | MessagePort;
  readonly job: ResizeJob;
}

/** Decodes a file for another worker. */
export interface DecodeTask {
  readonly kind: 'decode';
  readonly file: Blob;
  /** Where the rows go. */
  readonly rows: MessagePort;
  /** Bytes of memory that decoding may use. */
  readonly memory: number;
}

/** Does a job, but has another worker write the file. Ends after `verify`. */
export interface StageTask {
  readonly kind: 'stage';
  readonly file: Blob | MessagePort;
  readonly job: ResizeJob;
  /** Where the rows go. */
  readonly rows: MessagePort;
}

/** Writes the file of a job of which another worker sends the rows. */
export interface EncodeTask {
  readonly kind: 'encode';
  readonly rows: MessagePort;
  readonly job: ResizeJob;
}

/** Follows a `stage`: the file that the other worker wrote, to be compared with what the job promises. */
export interface Verify {
  readonly kind: 'verify';
  readonly file: Blob;
}

/** Copies a file with other metadata. */
export interface RewriteMetadataTask {
  readonly kind: 'rewriteMetadata';
  readonly file: Blob;
  readonly policy: MetadataPolicy;
  /** Bytes of memory that copying may use. */
  readonly memory: number;
}

export type Task = ProbeTask | RunTask | RewriteMetadataTask | DecodeTask | StageTask | EncodeTask;
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
  readonly decode: null;
  readonly stage: ResizeResult;
  readonly encode: Blob;
}

export type FromWorker<Result> =
  /** The answer to `start`. */
  | { readonly kind: 'started' }
  /** The core is of another build than this worker. */
  | { readonly kind: 'unusable'; readonly detail: string }
  | { readonly kind: 'warmed' }
  | { readonly kind: 'progress'; readonly fraction: number }
  /** The end of the task. `memory` is the size of the linear memory in bytes, which never shrinks. */
  | { readonly kind: 'done'; readonly result: Result; readonly memory: number }
  | { readonly kind: 'failed'; readonly failure: CoreFailure; readonly memory: number }
  /** The core has trapped: this worker cannot be used any more. */
  | { readonly kind: 'crashed'; readonly detail: string };
