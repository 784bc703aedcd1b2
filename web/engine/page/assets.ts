// The URLs of workers and wasm modules. The bundler inserts them: with a hash for the site, relative to this module for
// `dist/engine`.

import type { EncoderModule, Reader } from '../../domain/formats.ts';
import avifUrl from '../avif/avif_bg.wasm?url';
import avifEncoderUrl from '../avif-encoder/avif-encoder_bg.wasm?url';
import coreUrl from '../core/core_bg.wasm?url';
import jxlUrl from '../jxl/jxl_bg.wasm?url';
import jxlEncoderUrl from '../jxl-encoder/jxl-encoder_bg.wasm?url';
import svgUrl from '../svg/svg_bg.wasm?url';
import webpUrl from '../webp/webp_bg.wasm?url';
import avifWorkerUrl from '../worker/avif.worker.ts?worker&url';
import avifEncoderWorkerUrl from '../worker/avif-encoder.worker.ts?worker&url';
import jxlWorkerUrl from '../worker/jxl.worker.ts?worker&url';
import jxlEncoderWorkerUrl from '../worker/jxl-encoder.worker.ts?worker&url';
import readingThreadUrl from '../worker/reading-thread.ts?worker&url';
import svgWorkerUrl from '../worker/svg.worker.ts?worker&url';
import webpWorkerUrl from '../worker/webp.worker.ts?worker&url';
import workerUrl from '../worker/worker.ts?worker&url';
import { HEIC } from './heic-built-in.ts';

/** A module outside the core. */
export interface ModuleAssets {
  /** The script of its worker. */
  readonly worker: string;
  readonly wasm: string;
}

export interface Assets {
  /** The worker's script. */
  readonly worker: string;
  /** The script of the threads that read files ahead. */
  readonly readingThread: string;
  /** The core's wasm. */
  readonly core: string;
  /** The modules that read files instead of the core. */
  readonly decoders: Readonly<Partial<Record<Reader, ModuleAssets>>>;
  /** The modules that encode pictures for the core. */
  readonly encoders: Readonly<Record<EncoderModule, ModuleAssets>>;
}

export const ASSETS: Assets = {
  worker: workerUrl,
  readingThread: readingThreadUrl,
  core: coreUrl,
  decoders: {
    avif: { worker: avifWorkerUrl, wasm: avifUrl },
    ...HEIC,
    jxl: { worker: jxlWorkerUrl, wasm: jxlUrl },
    svg: { worker: svgWorkerUrl, wasm: svgUrl },
  },
  encoders: {
    webp: { worker: webpWorkerUrl, wasm: webpUrl },
    'avif-encoder': { worker: avifEncoderWorkerUrl, wasm: avifEncoderUrl },
    'jxl-encoder': { worker: jxlEncoderWorkerUrl, wasm: jxlEncoderUrl },
  },
};
