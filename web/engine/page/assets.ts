// Where the engine's two other files are. The bundler writes both addresses: with the site's hashes there, relative to
// this module in `dist/engine`.

import coreUrl from '../core/core_bg.wasm?url';
import workerUrl from '../worker/worker.ts?worker&url';

export interface Assets {
  /** The worker's script. */
  readonly worker: string;
  /** The core's wasm. */
  readonly core: string;
}

export const ASSETS: Assets = { worker: workerUrl, core: coreUrl };
