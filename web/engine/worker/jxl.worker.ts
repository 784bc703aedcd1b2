// The worker of the JPEG XL module.

import { abiVersion, Codec, initSync, memoryBytes, probe, unpack } from '../jxl/jxl.js';
import { serveDecoder } from './decoder.ts';

/** The version of the module's interface that this file uses; `crates/wasm-jxl` increases it with every change. */
const ABI = 5;

serveDecoder({ initSync, abiVersion, memoryBytes, probe, Codec, unpack }, ABI);
