// Images in, images out; threads and wasm stay behind this interface. Nothing starts before it is asked for, or before
// the page is idle.

import type { ResizeJob } from '../domain/job.ts';
import type { ImageInfo, Report } from './border.ts';
import type { Outcome } from './failure.ts';

export interface Progress {
  /** 0 when the job leaves the queue, 1 when it is done; at most about ten times a second. */
  readonly fraction: number;
}

export interface ResizeResult extends Report {
  readonly blob: Blob;
}

export interface ProbeOptions {
  /** When it aborts, the outcome is the failure `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunOptions extends ProbeOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Promises never reject: whatever becomes of a file is a value. */
export interface Engine {
  /** Reads the header only. */
  probe(file: Blob, options?: ProbeOptions): Promise<Outcome<ImageInfo>>;
  /** Waits until memory allows, then resizes. A worker that dies costs nobody else; its job is tried again, alone. */
  run(file: Blob, job: ResizeJob, options?: RunOptions): Promise<Outcome<ResizeResult>>;
  /** Makes the first picture as quick as the tenth; to be called when a picture is to be expected. */
  warm(): void;
  /** Ends every worker; what is under way or asked for later is `cancelled`. */
  dispose(): void;
}

export interface EngineOptions {
  /** Bytes that all running jobs together may hold; otherwise guessed from the device. */
  readonly memory?: number | undefined;
  /** Jobs at a time, at most; otherwise the number of processors, at most 4. */
  readonly jobs?: number | undefined;
}

export declare function createEngine(options?: EngineOptions): Engine;
