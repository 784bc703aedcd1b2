// The URLs of the worker and the core. The bundler inserts them: with a hash for the site, relative to this module for
// `dist/engine`.

import coreUrl from '../core/core_bg.wasm?url';
import workerUrl from '../worker/worker.ts?worker&url';

export interface Assets {
  /** The worker's script. */
  readonly worker: string;
  /** The core's wasm. */
  readonly core: string;
}

export const ASSETS: Assets = { worker: workerUrl, core: coreUrl };
