// The worker of the SVG module.

import { abiVersion, Codec, initSync, memoryBytes, probe, resize } from '../svg/svg.js';
import { serveDecoder } from './decoder.ts';

/** The version of the module's interface that this file uses; `crates/wasm-svg` increases it with every change. */
const ABI = 2;

serveDecoder({ initSync, abiVersion, memoryBytes, probe, Codec, resize }, ABI);
