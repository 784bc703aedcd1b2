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
export type { Assets } from './page/assets.ts';
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type ProbeOptions,
  type Progress,
  type RunOptions,
} from './page/engine.ts';
export type { ImageInfo, Warning } from './shared/border.ts';
export { type Failed, type Failure, type FailureCode, isFailed, type Outcome } from './shared/failure.ts';
export type { ResizeResult } from './shared/protocol.ts';
export { scriptUrl } from './shared/script-url.ts';
