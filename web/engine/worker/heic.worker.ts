// The worker of the HEIC module.

import { abiVersion, Codec, initSync, memoryBytes, probe } from '../heic/heic.js';
import { serveDecoder } from './decoder.ts';

/** The version of the module's interface that this file uses; `border::decoder!` increases it with every change. */
const ABI = 1;

serveDecoder({ initSync, abiVersion, memoryBytes, probe, Codec }, ABI);
