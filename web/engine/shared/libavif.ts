// libavif with libaom as the package @jsquash/avif compiles them: encodes single pictures. It makes no requests, and its
// results are the same in every engine.

import factory from '../avif-encoder/avif-encoder.js';
import type { PictureSettings } from './core-types.ts';
import { EmscriptenEncoder, toRgba } from './emscripten.ts';

/** How chroma is stored, by the module's numbers. */
const CHROMA = { none: 0, half: 1, full: 3 } as const;

/** The fields of the module's `AvifOptions`, with the values of Squoosh. */
const CONFIG = {
  quality: 60,
  qualityAlpha: -1,
  denoiseLevel: 0,
  tileColsLog2: 0,
  tileRowsLog2: 0,
  speed: 6,
  subsample: CHROMA.half as number,
  chromaDeltaQ: false,
  sharpness: 0,
  tune: 0,
  enableSharpYUV: false,
  bitDepth: 8,
  lossless: false,
};
type Config = Readonly<typeof CONFIG>;

/**
 * libaom's speed for each effort. A photograph of 2.8 megapixels takes 0.6, 2.0 and 16 s; three photographs of the Kodak
 * set with the same SSIMULACRA2 take 112, 100 and 93 bytes.
 */
const SPEEDS = { fast: 9, default: 6, smallest: 5 } as const;

/** From this quality on, colour keeps its full resolution, as in JPEG. */
const FULL_COLOR_QUALITY = 90;

/** The bits of a stored sample where the picture has 16: what decoders have beside 8. */
const DEEP_BITS = 10;

export class Libavif extends EmscriptenEncoder<Config> {
  constructor(module: WebAssembly.Module) {
    super(factory, module);
  }

  protected encodePicture(pixels: Uint8Array, settings: PictureSettings): Uint8Array | undefined {
    const { channels, quality, effort } = settings;
    if (quality === null || quality === undefined) throw new Error('AVIF is written with a quality');
    const color = quality < FULL_COLOR_QUALITY ? CHROMA.half : CHROMA.full;
    const bitDepth = settings.bits === 8 ? 8 : DEEP_BITS;
    return this.call(toRgba(pixels, settings, (1 << bitDepth) - 1), settings, {
      ...CONFIG,
      quality: Math.round(quality),
      speed: SPEEDS[effort],
      subsample: channels < 3 ? CHROMA.none : color,
      bitDepth,
    });
  }
}
