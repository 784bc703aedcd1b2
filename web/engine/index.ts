// The public face of the engine, and of `dist/engine`.

export type { Format, WritableFormat } from '../domain/formats.ts';
export {
  type Canvas,
  type Kernel,
  type Light,
  type Rect,
  type ResizeJob,
  type Rgb,
  type Rgba,
  type Size,
  uprightSize,
} from '../domain/job.ts';
export { jobMemory } from '../domain/memory.ts';
export type { Geometry } from '../domain/sizing.ts';
export type { Assets } from './assets.ts';
export type { ImageInfo, Warning } from './border.ts';
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type ProbeOptions,
  type Progress,
  type RunOptions,
} from './engine.ts';
export { type Failed, type Failure, type FailureCode, isFailed, type Outcome } from './failure.ts';
export type { ResizeResult } from './protocol.ts';
export { scriptUrl } from './script-url.ts';
