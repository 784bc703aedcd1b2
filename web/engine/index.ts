// The public interface of the engine, for the app and for `dist/engine`.
//
// lazy.ts  the same engine, in a chunk that is loaded later
// page/    on the page: Engine, pool of workers, one runner for each worker
// worker/  in a worker: the core, its source (a Blob) and its sink
// shared/  for page, worker and Node: messages, failures, the core's types
// node/    the same modules in Node
// testing/ for tests
// core/, svg/, webp/  the wasm modules and their glue, which scripts/build-wasm.mjs writes

export type { Format, WritableFormat } from '../domain/formats.ts';
export type { Geometry } from '../domain/geometry.ts';
export type { Canvas, Encoding, Kernel, Light, Rect, ResizeJob, Rgb, Rgba } from '../domain/job.ts';
export { jobMemory } from '../domain/memory.ts';
export { type Size, uprightSize } from '../domain/picture.ts';
export type { Assets } from './page/assets.ts';
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type ProbeOptions,
  type Progress,
  type RunOptions,
} from './page/engine.ts';
export type { ImageInfo, Warning } from './shared/core-types.ts';
export { type Failed, type Failure, type FailureCode, isFailed, type Outcome } from './shared/failure.ts';
export type { ResizeResult } from './shared/protocol.ts';
export { scriptUrl } from './shared/script-url.ts';
