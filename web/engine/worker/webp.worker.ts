// The worker that writes WebP files: the core with libwebp.

import { Libwebp } from '../shared/libwebp.ts';
import { CORE, encode } from './encoder.ts';
import { serve } from './serve.ts';

let libwebp: Libwebp | undefined;

serve({
  abi: CORE.abi,
  glue: { ...CORE.glue, memoryBytes: () => CORE.glue.memoryBytes() + (libwebp?.memory ?? 0) },
  onLibrary: (module) => {
    libwebp = new Libwebp(module);
  },
  perform: (task) => {
    if (task.kind !== 'encode') throw new Error(`an encoder was asked for ${task.kind}`);
    return encode(task, libwebp);
  },
});
