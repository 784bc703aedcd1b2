// libwebp as the package @jsquash/webp compiles it: encodes single pictures. It makes no requests, and its results are
// the same in every engine.

import factory from '../webp/webp.js';
import type { PictureEncoder } from './core-types.ts';

/** The functions that the glue adds to the object that it gets. */
interface Glue {
  encode(pixels: Uint8Array, width: number, height: number, config: Config): Uint8Array | null;
}

interface Instance {
  readonly glue: Glue;
  readonly memory: WebAssembly.Memory;
}

/** The fields of `WebPConfig` in libwebp's `encode.h`, with the values of `cwebp`. */
const CONFIG = {
  quality: 75,
  target_size: 0,
  target_PSNR: 0,
  method: 4,
  sns_strength: 50,
  filter_strength: 60,
  filter_sharpness: 0,
  filter_type: 1,
  partitions: 0,
  segments: 4,
  pass: 1,
  show_compressed: 0,
  preprocessing: 0,
  autofilter: 0,
  partition_limit: 0,
  alpha_compression: 1,
  alpha_filtering: 1,
  alpha_quality: 100,
  lossless: 0,
  exact: 0,
  image_hint: 0,
  emulate_jpeg_size: 0,
  thread_level: 0,
  low_memory: 0,
  near_lossless: 100,
  use_delta_palette: 0,
  use_sharp_yuv: 0,
};
type Config = Readonly<typeof CONFIG>;

/** The quality means effort here. Colours under transparent pixels are kept. */
const LOSSLESS: Config = { ...CONFIG, lossless: 1, exact: 1 };

export class Libwebp implements PictureEncoder {
  readonly #module: WebAssembly.Module;
  #instance: Instance | undefined;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** The size of the linear memory in bytes. */
  get memory(): number {
    return this.#instance?.memory.buffer.byteLength ?? 0;
  }

  encode(pixels: Uint8Array, width: number, height: number, quality: number | undefined): Uint8Array | undefined {
    try {
      const rgba = withAlpha(pixels, width * height);
      const encode = (config: Config) => this.#started().encode(rgba, width, height, config) ?? undefined;
      if (quality === undefined) return encode(LOSSLESS);
      const lossy = { ...CONFIG, quality };
      // VP8 stores the modes of all blocks in 512 kB. Pictures with too many of them get modes that need less.
      return encode(lossy) ?? encode({ ...lossy, partition_limit: 100 });
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      // No memory is left. The instance cannot be used again.
      this.#instance = undefined;
      return undefined;
    }
  }

  #started(): Glue {
    this.#instance ??= start(this.#module);
    return this.#instance.glue;
  }
}

function start(module: WebAssembly.Module): Instance {
  let memory: WebAssembly.Memory | undefined;
  const glue = {
    instantiateWasm(imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      onInstance(instance);
      return instance.exports;
    },
  };
  void factory(glue);
  if (memory === undefined || !('encode' in glue)) throw new Error('libwebp did not start');
  return { glue: glue as typeof glue & Glue, memory };
}

/** Returns the pixels as RGBA. */
function withAlpha(pixels: Uint8Array, count: number): Uint8Array {
  if (pixels.length === count * 4) return pixels;
  const rgba = new Uint8Array(count * 4).fill(255);
  for (let from = 0, to = 0; from < pixels.length; from += 3, to += 4) {
    rgba[to] = pixels[from] ?? 0;
    rgba[to + 1] = pixels[from + 1] ?? 0;
    rgba[to + 2] = pixels[from + 2] ?? 0;
  }
  return rgba;
}
