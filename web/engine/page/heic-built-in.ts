// The module that reads HEIC, with a decoder of HEVC, in its own file, so that a site without it has no such files
// (web/site/config.ts).

import heicUrl from '../heic/heic_bg.wasm?url';
import heicWorkerUrl from '../worker/heic.worker.ts?worker&url';
import type { Assets } from './assets.ts';

export const HEIC: Assets['decoders'] = { heic: { worker: heicWorkerUrl, wasm: heicUrl } };
