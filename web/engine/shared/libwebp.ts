// libwebp as the package @jsquash/webp compiles it: encodes single pictures. It makes no requests, and its results are
// the same in every engine.

import factory from '../webp/webp.js';
import type { PictureSettings } from './core-types.ts';
import { EmscriptenEncoder, toRgba } from './emscripten.ts';

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

export class Libwebp extends EmscriptenEncoder<Config> {
  constructor(module: WebAssembly.Module) {
    super(factory, module);
  }

  protected encodePicture(pixels: Uint8Array, settings: PictureSettings): Uint8Array | undefined {
    const { channels, quality } = settings;
    const rgba = channels === 4 ? pixels : toRgba(pixels, settings, 255);
    if (quality === null || quality === undefined) return this.call(rgba, settings, LOSSLESS);
    const lossy = { ...CONFIG, quality };
    // VP8 stores the modes of all blocks in 512 kB. Pictures with too many of them get modes that need less.
    return this.call(rgba, settings, lossy) ?? this.call(rgba, settings, { ...lossy, partition_limit: 100 });
  }
}
