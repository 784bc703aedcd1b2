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

/** libwebp's method for each effort. On ten photographs the last saves 1 to 9 % of the bytes in 1.0 to 2.5 times the time. */
const METHODS = { fast: 2, default: 4, smallest: 6 } as const;

/**
 * Without loss, the quality means effort, too: 75 takes 2 % fewer bytes than 25, 90 0.3 % fewer than 75, in 1.5 times the
 * time; 100 takes 30 times the time. Colours under transparent pixels are kept.
 */
const LOSSLESS: Config = { ...CONFIG, lossless: 1, exact: 1 };
const LOSSLESS_QUALITIES = { fast: 25, default: 75, smallest: 90 } as const;

export class Libwebp extends EmscriptenEncoder<Config> {
  constructor(module: WebAssembly.Module) {
    super(factory, module);
  }

  protected encodePicture(pixels: Uint8Array, settings: PictureSettings): Uint8Array | undefined {
    const { channels, quality, effort } = settings;
    const rgba = channels === 4 ? pixels : toRgba(pixels, settings, 255);
    const method = METHODS[effort];
    if (quality === null || quality === undefined) {
      return this.call(rgba, settings, { ...LOSSLESS, method, quality: LOSSLESS_QUALITIES[effort] });
    }
    const lossy = { ...CONFIG, method, quality };
    // VP8 stores the modes of all blocks in 512 kB. Pictures with too many of them get modes that need less.
    return this.call(rgba, settings, lossy) ?? this.call(rgba, settings, { ...lossy, partition_limit: 100 });
  }
}
