// The worker of a pretend module outside the core. Its files begin with SVG_HEAD, so that the core takes them for SVG;
// an image follows that the core can read, and the core's own functions read it here.

import { abiVersion, Codec, initSync, memoryBytes, probe } from '../core/core.js';
import type { Source } from '../shared/core-types.ts';
import { type DecoderGlue, serveDecoder } from '../worker/decoder.ts';
import { SVG_HEAD } from './pretend-head.ts';

const glue: DecoderGlue = {
  initSync,
  abiVersion,
  memoryBytes,
  probe: (source, memory) => probe(inner(source), memory),
  Codec: { decoder: (source, rows, _parts, memory) => Codec.decoder(inner(source), rows, memory) },
};

serveDecoder(glue, 5);

/** The file without its head, if it has one. */
function inner(source: Source): Source {
  const head = new Uint8Array(SVG_HEAD.length);
  source.readAt(0, head);
  if (new TextDecoder().decode(head) !== SVG_HEAD) return source;
  return {
    byteLen: () => source.byteLen() - head.length,
    readAt: (offset, into) => source.readAt(offset + head.length, into),
  };
}
