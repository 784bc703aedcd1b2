// The module that reads HEIC without a decoder of HEVC. The build puts this file in the place of heic-built-in.ts for a
// site without that decoder (web/site/config.ts).

import heicUrl from '../heic-device/heic-device_bg.wasm?url';
import heicWorkerUrl from '../worker/heic-device.worker.ts?worker&url';
import type { Assets } from './assets.ts';

export const HEIC: Assets['decoders'] = { heic: { worker: heicWorkerUrl, wasm: heicUrl } };
