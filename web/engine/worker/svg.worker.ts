// The worker of the SVG module.

import { abiVersion, Codec, initSync, memoryBytes, probe, resize } from '../svg/svg.js';
import { type DecoderGlue, serveDecoder } from './decoder.ts';

/** The version of the module's interface that this file uses; `crates/wasm-svg` increases it with every change. */
const ABI = 2;

const glue: DecoderGlue = {
  initSync,
  abiVersion,
  memoryBytes,
  probe,
  Codec: {
    decoder: (source, rows, { memory }, _device, parts = []) => Codec.decoder(source, rows, parts, memory),
  },
  resize,
};

serveDecoder(glue, ABI);
