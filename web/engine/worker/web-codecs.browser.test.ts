// The decoder of the device against the module's own, with AV1: no browser of the tests decodes HEVC. The code is the
// same for both.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import * as avif from '../avif/avif.js';
import avifUrl from '../avif/avif_bg.wasm?url';
import type { DeviceDecoder, Sink, Source } from '../shared/core-types.ts';
import { decodesHevc, Picture, WebCodecsDecoder } from './web-codecs.ts';

const MEMORY_BYTES = 64 << 20;
/** The browser of the tests that has a decoder of AV1 with planes. */
const isChromium = navigator.userAgent.includes('Chrome/');

beforeAll(async () => {
  avif.initSync({ module: await WebAssembly.compileStreaming(fetch(avifUrl)) });
});

async function bytesOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`/tests/fixtures/pictures/${name}`);
  return new Uint8Array(await response.arrayBuffer());
}

function sourceOf(bytes: Uint8Array): Source {
  return {
    byteLen: () => bytes.length,
    readAt: (offset, into) => {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
  };
}

/** A sink that keeps the bytes. */
class Kept implements Sink {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];

  write(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
  }

  patch(): void {}

  reread(): Source {
    throw new Error('nothing is read again');
  }

  progress(): void {}

  async hex(): Promise<string> {
    const sum = await crypto.subtle.digest('SHA-256', await new Blob(this.#parts).arrayBuffer());
    return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

interface Decoded {
  readonly answer: unknown;
  /** The checksum of the rows, which begin with their description. */
  readonly rows: string;
}

/** Decodes a file by the AVIF module, with the device or without it. */
async function decode(bytes: Uint8Array, device?: WebCodecsDecoder, asked: DeviceDecoder | undefined = device) {
  const sink = new Kept();
  const codec = avif.Codec.decoder(sourceOf(bytes), sink, { gainMap: false, memory: MEMORY_BYTES }, asked);
  for (;;) {
    const answer = codec.step();
    if (answer !== undefined) {
      codec.free();
      device?.close();
      return { answer, rows: await sink.hex() } satisfies Decoded;
    }
    await device?.beforeStep();
  }
}

/** A decoder of the device that keeps the pictures for the test. */
function watched(device: WebCodecsDecoder) {
  const pictures: ReturnType<WebCodecsDecoder['decode']>[] = [];
  const asked: DeviceDecoder = {
    decode: (...args) => {
      const picture = device.decode(...args);
      pictures.push(picture);
      return picture;
    },
  };
  return { asked, states: () => pictures.map((picture) => picture.state()) };
}

describe('the device decodes', () => {
  test.each([
    ['tiles of 8 bits with alpha', 'tiles-420.avif', 12],
    ['tiles of 10 bits', 'tiles-444-10.avif', 6],
    ['grey tiles', 'tiles-gray.avif', 6],
    ['one picture of an odd height', 'zone.avif', 1],
    ['one picture of 10 bits with alpha', 'noise-rgba10.avif', 2],
  ])('%s: the rows are those of the module', async (_, name, count) => {
    const bytes = await bytesOf(name);
    const own = await decode(bytes);
    expect(own.answer).toEqual({ ok: null });
    const device = new WebCodecsDecoder();
    const { asked, states } = watched(device);
    expect(await decode(bytes, device, asked)).toEqual(own);
    // Elsewhere the module decodes what the device has refused, such as all pictures that Firefox gives without planes.
    if (isChromium) expect(states()).toEqual(Array.from({ length: count }, () => 'decoded'));
    else expect(states()).not.toContain('under-way');
  });
});

test('a tile that the device refuses is decoded by the module, and the device is not asked again', async () => {
  const bytes = await bytesOf('tiles-420.avif');
  const device = new WebCodecsDecoder();
  let count = 0;
  const asked: DeviceDecoder = {
    decode: (codec, configuration, width, height, data) => {
      count += 1;
      // The second row of tiles gets data without a picture.
      return device.decode(codec, configuration, width, height, count === 7 ? new Uint8Array(9) : data);
    },
  };
  expect(await decode(bytes, device, asked)).toEqual(await decode(bytes));
  expect(count).toBeLessThanOrEqual(12);
});

test('a damaged tile is told as without the device', async () => {
  const bytes = await bytesOf('tiles-420.avif');
  bytes.fill(0, bytes.length - 1500);
  expect(await decode(bytes, new WebCodecsDecoder())).toEqual(await decode(bytes));
});

test.runIf(typeof VideoFrame !== 'undefined')(
  'planes with chroma by turns, as decoders in hardware give them',
  async () => {
    const luma = [10, 11, 12, 13, 20, 21, 22, 23];
    const chroma = [31, 41, 32, 42];
    const options = { format: 'NV12', codedWidth: 4, codedHeight: 2, timestamp: 0 } as const;
    const frame = new VideoFrame(new Uint8Array([...luma, ...chroma]), options);
    const picture = new Picture();
    await picture.take(frame);
    frame.close();
    const row = (plane: number, y: number, length: number) => {
      const into = new Uint16Array(length);
      picture.copyRow(plane, y, into);
      return [...into];
    };
    expect([picture.state(), picture.width(), picture.height(), picture.chroma()]).toEqual(['decoded', 4, 2, 'half']);
    expect([row(0, 0, 4), row(0, 1, 4)]).toEqual([luma.slice(0, 4), luma.slice(4)]);
    expect([row(1, 0, 2), row(2, 0, 2)]).toEqual([
      [31, 32],
      [41, 42],
    ]);
  },
);

test('a picture without planes is refused', async () => {
  const frame = { format: null, close: () => undefined } as unknown as VideoFrame;
  const picture = new Picture();
  await picture.take(frame);
  picture.giveUp();
  expect(picture.state()).toBe('failed');
});

test('a decoder that does not answer, here a fake one, is given up', async () => {
  class SilentDecoder {
    static readonly isConfigSupported = async () => ({ supported: true });
    readonly state = 'configured';
    configure() {}
    decode() {}
    flush = () => new Promise(() => undefined);
    close() {}
  }
  vi.useFakeTimers();
  vi.stubGlobal('VideoDecoder', SilentDecoder);
  vi.stubGlobal('EncodedVideoChunk', Object);
  try {
    const device = new WebCodecsDecoder();
    const picture = device.decode('av01.0.00M.08', new Uint8Array(4), 64, 64, new Uint8Array(9));
    const end = device.beforeStep();
    await vi.advanceTimersByTimeAsync(14_000);
    expect(picture.state()).toBe('under-way');
    await vi.advanceTimersByTimeAsync(1000);
    await end;
    expect(picture.state()).toBe('failed');
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});

test('whether the device decodes HEVC is known, and nothing fails without WebCodecs', async () => {
  expect(typeof (await decodesHevc())).toBe('boolean');
});
