// The start of modules that Emscripten has compiled, as npm packages contain them: encoders of single pictures.

import type { PictureEncoder, PictureSettings } from './core-types.ts';

/** The glue's function, and the part of its argument that is used. With `instantiateWasm` it fills it before it returns. */
type Factory = (module: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    onInstance: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports;
}) => Promise<unknown>;

/** The function of such a module. */
type Encode<Config> = (pixels: Uint8Array, width: number, height: number, config: Config) => Uint8Array | null;

interface Instance<Config> {
  readonly encode: Encode<Config>;
  readonly memory: WebAssembly.Memory;
}

/** An encoder that is compiled by Emscripten. Its instance is made for the first picture. */
export abstract class EmscriptenEncoder<Config> implements PictureEncoder {
  readonly #factory: Factory;
  readonly #module: WebAssembly.Module;
  #instance: Instance<Config> | undefined;

  constructor(factory: Factory, module: WebAssembly.Module) {
    this.#factory = factory;
    this.#module = module;
  }

  /** The size of the linear memory in bytes. */
  get memory(): number {
    return this.#instance?.memory.buffer.byteLength ?? 0;
  }

  encode(pixels: Uint8Array, settings: PictureSettings): Uint8Array | undefined {
    try {
      return this.encodePicture(pixels, settings);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      // No memory is left. The instance cannot be used again.
      this.#instance = undefined;
      return undefined;
    }
  }

  protected abstract encodePicture(pixels: Uint8Array, settings: PictureSettings): Uint8Array | undefined;

  /** Calls the module, which takes pixels as RGBA. */
  protected call(rgba: Uint8Array, { width, height }: PictureSettings, config: Config): Uint8Array | undefined {
    this.#instance ??= start<Config>(this.#factory, this.#module);
    return this.#instance.encode(rgba, width, height, config) ?? undefined;
  }
}

function start<Config>(factory: Factory, module: WebAssembly.Module): Instance<Config> {
  let memory: WebAssembly.Memory | undefined;
  const glue: { encode?: Encode<Config> } & Parameters<Factory>[0] = {
    instantiateWasm(imports, onInstance) {
      const instance = new WebAssembly.Instance(module, imports);
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      onInstance(instance);
      return instance.exports;
    },
  };
  void factory(glue);
  if (memory === undefined || glue.encode === undefined) throw new Error('the encoder did not start');
  return { encode: glue.encode.bind(glue), memory };
}

/**
 * Returns samples of 8 bits, or of 16, as RGBA. `largest` is the largest sample of the result; samples of 16 bits are
 * rounded to it.
 */
export function toRgba(pixels: Uint8Array, { channels, bits }: PictureSettings, largest: number): Uint8Array {
  if (bits === 8) return spread(pixels, channels, new Uint8Array((pixels.length / channels) * 4), 255);
  const samples = new Uint16Array(pixels.length / 2);
  // Little-endian, wherever the view begins.
  for (let i = 0, at = 0; i < samples.length; i += 1, at += 2) {
    const sample = (pixels[at] ?? 0) | ((pixels[at + 1] ?? 0) << 8);
    samples[i] = Math.floor((sample * largest + 32_767) / 65_535);
  }
  const rgba = spread(samples, channels, new Uint16Array((samples.length / channels) * 4), largest);
  return new Uint8Array(rgba.buffer);
}

/** Copies pixels of 1 to 4 channels to pixels of four. */
function spread<Samples extends Uint8Array | Uint16Array>(
  from: Samples,
  channels: number,
  to: Samples,
  opaque: number,
): Samples {
  const [green, blue] = channels > 2 ? [1, 2] : [0, 0];
  const hasAlpha = channels % 2 === 0;
  for (let read = 0, write = 0; read < from.length; read += channels, write += 4) {
    to[write] = from[read] ?? 0;
    to[write + 1] = from[read + green] ?? 0;
    to[write + 2] = from[read + blue] ?? 0;
    to[write + 3] = hasAlpha ? (from[read + channels - 1] ?? 0) : opaque;
  }
  return to;
}
