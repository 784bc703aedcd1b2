// A trap inside a decoder module, for jxl.browser.test.ts: each step for a file whose name begins with `traps` ends like a
// panic. This module must be imported before the worker, because listeners are called in the order of their registration.

import type { ToWorker } from '../shared/protocol.ts';

let traps = false;

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'decode') traps = data.file instanceof File && data.file.name.startsWith('traps');
});

interface Exports {
  codec_step(codec: number): unknown;
  __wbindgen_malloc(length: number, alignment: number): number;
}

const { Instance } = WebAssembly;

WebAssembly.Instance = class extends Instance {
  override get exports(): WebAssembly.Exports {
    const own = super.exports as unknown as Exports;
    // Memory with an alignment of three bytes is a bug for which the module aborts.
    const codec_step = (codec: number) => (traps ? own.__wbindgen_malloc(64, 3) : own.codec_step(codec));
    return { ...super.exports, codec_step };
  }
};
