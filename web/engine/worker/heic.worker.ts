// The worker of the HEIC module. The device decodes HEVC if it can, because it is faster; the planes are the same.

import { abiVersion, Codec, initSync, memoryBytes, probe } from '../heic/heic.js';
import { serveDecoder } from './decoder.ts';
import { WebCodecsDecoder } from './web-codecs.ts';

/** The version of the module's interface that this file uses; `border::decoder!` increases it with every change. */
const ABI = 4;

serveDecoder({ initSync, abiVersion, memoryBytes, probe, Codec }, ABI, { makeDevice: () => new WebCodecsDecoder() });
