// The worker of a pretend module outside the core. Its files begin with SVG_HEAD, so that the core takes them for SVG;
// an image follows that the core can read, and the core's own functions read it here.

import type { ResizeJob } from '../../domain/job.ts';
import { Codec, initSync, memoryBytes, probe } from '../core/core.js';
import type { RunAnswer, Sink, Source } from '../shared/core-types.ts';
import { type DecoderGlue, serveDecoder } from '../worker/decoder.ts';
import { SVG_HEAD } from './pretend-head.ts';

/** The version of the pretend module's interface. */
const ABI = 1;

const glue: DecoderGlue = {
  initSync,
  abiVersion: () => ABI,
  memoryBytes,
  probe: (source, memory) => probe(inner(source), memory),
  Codec: { decoder: (source, rows, options) => Codec.decoder(inner(source), rows, options) },
  resize: copy,
};

serveDecoder(glue, ABI);

/** Writes the file as it is, in the place of a drawing with another size. */
function copy(source: Source, sink: Sink, { parts: [part] }: ResizeJob): RunAnswer {
  const bytes = new Uint8Array(source.byteLen());
  for (let at = 0; at < bytes.length; ) at += source.readAt(at, bytes.subarray(at));
  sink.write(bytes);
  const { width, height } = part?.target ?? { width: 0, height: 0 };
  const report = { byteLength: bytes.length, crc32: 0, warnings: [], memory: 0 };
  return { ok: { format: 'svg', width, height, frames: 1, ...report } };
}

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
