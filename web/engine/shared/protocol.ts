// Everything that page and worker say to each other. Types only. A worker has one task at a time, so no message needs a
// number; what a dead worker still said is dropped with it.

import type { MetadataPolicy, ResizeJob } from '../../domain/job.ts';
import type { CoreFailure, ImageInfo, Report } from './border.ts';

/** The first message to a worker: the core, compiled on the page, so that the worker needs no network. */
export interface Start {
  readonly kind: 'start';
  readonly module: WebAssembly.Module;
}

/** Run the hot loops until the browser has optimised them; a task that comes meanwhile goes first. */
export interface Warm {
  readonly kind: 'warm';
}

export interface ProbeTask {
  readonly kind: 'probe';
  readonly file: Blob;
  /** Bytes that reading the header may hold. */
  readonly memory: number;
}

export interface RunTask {
  readonly kind: 'run';
  readonly file: Blob;
  readonly job: ResizeJob;
}

/** A file that stays as it is, but for what it says beside the pixels. */
export interface RewriteMetadataTask {
  readonly kind: 'rewriteMetadata';
  readonly file: Blob;
  readonly policy: MetadataPolicy;
  /** Bytes that copying may hold. */
  readonly memory: number;
}

export type Task = ProbeTask | RunTask | RewriteMetadataTask;
export type ToWorker = Start | Warm | Task;

/** The new file, and what happened on the way. */
export interface ResizeResult extends Report {
  readonly blob: Blob;
}

/** What a task's end brings. */
export interface ResultOf {
  readonly probe: ImageInfo;
  readonly run: ResizeResult;
  readonly rewriteMetadata: ResizeResult;
}

export type FromWorker<Result> =
  /** The answer to `start`. */
  | { readonly kind: 'started' }
  /** The core in hand is not the one this worker was built for. */
  | { readonly kind: 'unusable'; readonly detail: string }
  | { readonly kind: 'warmed' }
  | { readonly kind: 'progress'; readonly fraction: number }
  /** The task's end; `memory` is the linear memory now, in bytes, which never shrinks. */
  | { readonly kind: 'done'; readonly result: Result; readonly memory: number }
  | { readonly kind: 'failed'; readonly failure: CoreFailure; readonly memory: number }
  /** The core trapped: this worker is of no use any more. */
  | { readonly kind: 'crashed'; readonly detail: string };
