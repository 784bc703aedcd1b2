// libjxl as the package @jsquash/jxl compiles it: encodes single pictures. It makes no requests, and its results are the
// same in every engine.

import factory from '../jxl-encoder/jxl-encoder.js';
import type { PictureSettings } from './core-types.ts';
import { EmscriptenEncoder, toRgba } from './emscripten.ts';

/** The fields of the module's `JXLOptions`, with the values of Squoosh. */
const CONFIG = {
  effort: 5,
  quality: 85,
  progressive: false,
  epf: -1,
  lossyPalette: false,
  decodingSpeedTier: 0,
  photonNoiseIso: 0,
  lossyModular: false,
  lossless: false,
};
type Config = Readonly<typeof CONFIG>;

/** libjxl's effort for each of ours: a photograph of 2.8 megapixels takes 0.6, 2.9 and 4.3 s. */
const EFFORTS = { fast: 3, default: 5, smallest: 7 } as const;
/** Without loss: 0.3, 0.6 and 3.1 s; the second saves 13 % of the bytes, the third 4 % more. */
const LOSSLESS_EFFORTS = { fast: 2, default: 3, smallest: 4 } as const;

export class Libjxl extends EmscriptenEncoder<Config> {
  constructor(module: WebAssembly.Module) {
    super(factory, module);
  }

  protected encodePicture(pixels: Uint8Array, settings: PictureSettings): Uint8Array | undefined {
    const { quality, effort } = settings;
    const isLossless = quality === null || quality === undefined;
    return this.call(toRgba(pixels, settings, 255), settings, {
      ...CONFIG,
      effort: isLossless ? LOSSLESS_EFFORTS[effort] : EFFORTS[effort],
      quality: isLossless ? 100 : quality,
      lossless: isLossless,
    });
  }
}
