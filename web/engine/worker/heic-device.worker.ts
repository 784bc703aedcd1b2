// The worker of the HEIC module without a decoder of HEVC. Files are refused at once where the device has none.

import { abiVersion, Codec, initSync, memoryBytes, probe } from '../heic-device/heic-device.js';
import { serveDecoder } from './decoder.ts';
import { decodesHevc, WebCodecsDecoder } from './web-codecs.ts';

/** The version of the module's interface that this file uses; `border::decoder!` increases it with every change. */
const ABI = 4;

/** The same for all files. */
const isAble = decodesHevc();

serveDecoder({ initSync, abiVersion, memoryBytes, probe, Codec }, ABI, {
  makeDevice: () => new WebCodecsDecoder(),
  refusal: async () =>
    (await isAble) ? null : { code: 'unsupported', format: 'heic', feature: '', detail: 'no decoder of HEVC' },
});
