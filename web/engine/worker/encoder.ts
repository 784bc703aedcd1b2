// Writing the file of a job whose rows another worker sends: the tasks of the core as an encoder.

import { abiVersion, Codec, initSync, memoryBytes } from '../core/core.js';
import type { PictureEncoder } from '../shared/core-types.ts';
import type { EncodeTask } from '../shared/protocol.ts';
import { PortSource } from './port-source.ts';
import { type Answer, fileSink, lastStep, serve } from './serve.ts';

/** The core's glue, and the version of its interface that the workers use; `crates/wasm` increases it with every change. */
export const CORE = { glue: { initSync, abiVersion, memoryBytes }, abi: 10 };

/** An encoder in a module of its own. */
type Library = PictureEncoder & { readonly memory: number };

/** Serves a worker that has the core and a library, which encodes the pictures. */
export function serveEncoder(create: (module: WebAssembly.Module) => Library): void {
  let library: Library | undefined;
  serve({
    abi: CORE.abi,
    glue: { ...CORE.glue, memoryBytes: () => CORE.glue.memoryBytes() + (library?.memory ?? 0) },
    onLibrary: (module) => {
      library = create(module);
    },
    perform: (task) => {
      if (task.kind !== 'encode') throw new Error(`an encoder was asked for ${task.kind}`);
      return encode(task, library);
    },
  });
}

/** Writes the file. `outside` encodes the pictures, if the core does not. */
export async function encode({ rows, job }: EncodeTask, outside?: PictureEncoder): Promise<Answer<Blob>> {
  const [source, sink] = [new PortSource(rows), fileSink()];
  const encoder = Codec.encoder(source, sink, job, outside);
  const answer = await lastStep(encoder, source);
  encoder.free();
  return 'failure' in answer ? answer : { ok: sink.toBlob('') };
}
