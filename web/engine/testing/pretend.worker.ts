// The worker of a pretend module outside the core: it has the core's own functions behind the interface of a decoder.

import { abiVersion, Codec, initSync, memoryBytes, probe } from '../core/core.js';
import { serveDecoder } from '../worker/decoder.ts';

const decoder: Parameters<typeof serveDecoder>[0]['Codec']['decoder'] = (source, rows, _parts, memory) =>
  Codec.decoder(source, rows, memory);

serveDecoder({ initSync, abiVersion, memoryBytes, probe, Codec: { decoder } }, 5);
