// The public face of the engine, and of `dist/engine`.

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
export type { ImageInfo, Warning } from './shared/border.ts';
export { type Failed, type Failure, type FailureCode, isFailed, type Outcome } from './shared/failure.ts';
export type { ResizeResult } from './shared/protocol.ts';
export { scriptUrl } from './shared/script-url.ts';
