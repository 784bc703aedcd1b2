// The worker of the AVIF module.

import { abiVersion, Codec, initSync, memoryBytes, probe } from '../avif/avif.js';
import { serveDecoder } from './decoder.ts';

/** The version of the module's interface that this file uses; `border::decoder!` increases it with every change. */
const ABI = 4;

serveDecoder({ initSync, abiVersion, memoryBytes, probe, Codec }, ABI);
