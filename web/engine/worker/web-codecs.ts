// The device's decoder of single pictures, by WebCodecs. It gives planes, which are exact, and no colours, which would
// depend on the browser. The module converts the planes as it does those of its own decoder.

import type { DeviceDecoder, DevicePicture } from '../shared/core-types.ts';

/** The planes of a picture in the bytes of a frame. */
interface Layout {
  /** The bits of a sample. Samples of more than 8 bits have two bytes. */
  readonly depth: number;
  readonly chroma: 'half' | 'columns' | 'full';
  /** Whether one plane contains the samples of both chroma planes by turns. */
  readonly isInterleaved?: true;
}

/** The pixel formats of frames that have planes. A decoder of the device may give others, which are refused. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  I420: { depth: 8, chroma: 'half' },
  I420P10: { depth: 10, chroma: 'half' },
  I420P12: { depth: 12, chroma: 'half' },
  I422: { depth: 8, chroma: 'columns' },
  I422P10: { depth: 10, chroma: 'columns' },
  I422P12: { depth: 12, chroma: 'columns' },
  I444: { depth: 8, chroma: 'full' },
  I444P10: { depth: 10, chroma: 'full' },
  I444P12: { depth: 12, chroma: 'full' },
  NV12: { depth: 8, chroma: 'half', isInterleaved: true },
};

/** A picture that waits for the decoder. */
interface Waiting {
  readonly picture: Picture;
  readonly codec: string;
  readonly description: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The time for a row of tiles, after which a decoder that does not answer is given up. */
const PATIENCE_MS = 15_000;

/** What every decoder of HEVC can decode: Main, of the level that tiles of photographs have. */
const PHOTOGRAPHS = 'hvc1.1.6.L90.90';

/** Whether the device has a decoder of HEVC. */
export function decodesHevc(): Promise<boolean> {
  return supports({ codec: PHOTOGRAPHS, codedWidth: 512, codedHeight: 512 });
}

async function supports(config: VideoDecoderConfig): Promise<boolean> {
  if (typeof VideoDecoder === 'undefined') return false;
  try {
    const { supported } = await VideoDecoder.isConfigSupported(config);
    return supported === true;
  } catch {
    return false;
  }
}

/** Decodes pictures in the order in which they are given. */
export class WebCodecsDecoder implements DeviceDecoder {
  #waiting: Waiting[] = [];
  #work: Promise<void> | undefined;
  /** The decoder of the last pictures, and the configuration that it has. */
  #current: { readonly decoder: VideoDecoder; readonly key: string } | undefined;
  /** The pictures whose frames have not come, by their time stamps. */
  readonly #expected = new Map<number, Picture>();
  /** The frames that are being copied. */
  readonly #copies = new Set<Promise<void>>();
  #time = 0;

  decode(codec: string, configuration: Uint8Array, width: number, height: number, data: Uint8Array): Picture {
    const picture = new Picture();
    this.#waiting.push({ picture, codec, description: configuration.slice(), width, height, data: data.slice() });
    return picture;
  }

  beforeStep(): Promise<void> | undefined {
    if (this.#waiting.length > 0) this.#work ??= this.#decodeAll();
    return this.#work;
  }

  close(): void {
    if (this.#current?.decoder.state !== 'closed') this.#current?.decoder.close();
    this.#current = undefined;
  }

  async #decodeAll(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await inTime(this.#decodeBatch(batch));
    } catch {
      // The decoder refused the data, or does not answer.
      this.close();
    }
    this.#expected.clear();
    for (const { picture } of batch) picture.giveUp();
    this.#work = undefined;
  }

  async #decodeBatch(batch: readonly Waiting[]): Promise<void> {
    for (const one of batch) await this.#send(one);
    await this.#current?.decoder.flush();
    await Promise.all(this.#copies);
  }

  async #send({ picture, codec, description, width, height, data }: Waiting): Promise<void> {
    const decoder = await this.#decoderFor({ codec, description, codedWidth: width, codedHeight: height });
    if (decoder === null) return;
    this.#time += 1;
    this.#expected.set(this.#time, picture);
    decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: this.#time, data }));
  }

  /** Returns the decoder with a configuration; null if the device has none. */
  async #decoderFor(config: VideoDecoderConfig & { description: Uint8Array }): Promise<VideoDecoder | null> {
    const key = `${config.codec} ${config.codedWidth} ${config.codedHeight} ${config.description.join()}`;
    if (this.#current?.key === key) return this.#current.decoder;
    // The frames of the last configuration come first.
    await this.#current?.decoder.flush();
    this.close();
    const accepted = await firstAccepted(config);
    if (accepted === null) return null;
    const decoder = new VideoDecoder({ output: (frame) => this.#onFrame(frame), error: () => undefined });
    decoder.configure(accepted);
    this.#current = { decoder, key };
    return decoder;
  }

  #onFrame(frame: VideoFrame): void {
    const picture = this.#expected.get(frame.timestamp);
    this.#expected.delete(frame.timestamp);
    if (picture === undefined) {
      frame.close();
      return;
    }
    const copy = picture.take(frame).finally(() => {
      // Devices have few frames, and decoding stops while all are in use.
      frame.close();
      this.#copies.delete(copy);
    });
    this.#copies.add(copy);
  }
}

/**
 * Returns the configuration that the device accepts; null if there is none. Pictures of the profile Main Still Picture
 * have the tools of Main, which more devices accept. AV1 has no description.
 */
async function firstAccepted(config: VideoDecoderConfig): Promise<VideoDecoderConfig | null> {
  const { description: _, ...bare } = config;
  const own = config.codec.startsWith('av01') ? bare : config;
  const names = [config.codec, config.codec.replace(/^hvc1\.3\./, 'hvc1.1.')];
  for (const codec of new Set(names)) if (await supports({ ...own, codec })) return { ...own, codec };
  return null;
}

/** Rejects if the work takes too long. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the decoder does not answer')), PATIENCE_MS);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** A picture of the device, which is in the memory of the worker. */
export class Picture implements DevicePicture {
  #state: 'under-way' | 'decoded' | 'failed' = 'under-way';
  #width = 0;
  #height = 0;
  #layout: Layout = { depth: 8, chroma: 'full' };
  #planes: readonly PlaneLayout[] = [];
  #samples: Uint8Array | Uint16Array = new Uint8Array();

  /** Copies the planes of a frame. */
  async take(frame: VideoFrame): Promise<void> {
    const layout = LAYOUTS[frame.format ?? ''];
    if (layout === undefined) return;
    try {
      const bytes = new Uint8Array(frame.allocationSize());
      this.#planes = await frame.copyTo(bytes);
      this.#samples = layout.depth > 8 ? new Uint16Array(bytes.buffer) : bytes;
    } catch {
      return;
    }
    this.#layout = layout;
    this.#width = frame.visibleRect?.width ?? 0;
    this.#height = frame.visibleRect?.height ?? 0;
    this.#state = 'decoded';
  }

  /** Ends the wait for a frame. */
  giveUp(): void {
    if (this.#state === 'under-way') this.#state = 'failed';
  }

  state(): 'under-way' | 'decoded' | 'failed' {
    return this.#state;
  }

  width(): number {
    return this.#width;
  }

  height(): number {
    return this.#height;
  }

  depth(): number {
    return this.#layout.depth;
  }

  chroma(): 'half' | 'columns' | 'full' {
    return this.#layout.chroma;
  }

  copyRow(plane: number, y: number, into: Uint16Array): void {
    const isInterleaved = plane > 0 && this.#layout.isInterleaved === true;
    const { offset = 0, stride = 0 } = this.#planes[isInterleaved ? 1 : plane] ?? {};
    const start = (offset + y * stride) / this.#samples.BYTES_PER_ELEMENT;
    if (!isInterleaved) into.set(this.#samples.subarray(start, start + into.length));
    else for (let x = 0; x < into.length; x += 1) into[x] = this.#samples[start + 2 * x + plane - 1] ?? 0;
  }
}
