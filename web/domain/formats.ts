// The formats the product knows by name: what they are called, how their files end, and what works today.
// The list of names is the core's (`crates/raster/src/format.rs`).

export type Format = 'jpeg' | 'png' | 'bmp' | 'gif' | 'webp' | 'tiff' | 'ico' | 'svg' | 'avif' | 'heic' | 'jxl' | 'raw';

/** The formats that the core can write today. */
export const WRITABLE_FORMATS = ['jpeg', 'png', 'tiff', 'bmp', 'ico'] as const satisfies readonly Format[];
export type WritableFormat = (typeof WRITABLE_FORMATS)[number];

/** The formats that the core can read today. */
export const READABLE_FORMATS = ['jpeg', 'png', 'tiff', 'bmp', 'ico'] as const satisfies readonly Format[];

/** The engine's own longest side, `raster::MAX_SIDE`; formats may have shorter ones. */
export const MAX_SIDE = 1_000_000;

export interface FormatFacts {
  /** As people write it. */
  readonly name: string;
  readonly mime: string;
  /** Without the dot, the usual one first. */
  readonly extensions: readonly [string, ...string[]];
  /** The longest side that a file can declare and the engine can work with, in pixels. */
  readonly maxSide: number;
  /** Whether every sample comes back as it went in. */
  readonly lossless: boolean;
}

export const FORMATS: Readonly<Record<Format, FormatFacts>> = {
  // T.81 B.2.2: the frame header holds 16 bits for each side.
  jpeg: {
    name: 'JPEG',
    mime: 'image/jpeg',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    maxSide: 65_535,
    lossless: false,
  },
  png: { name: 'PNG', mime: 'image/png', extensions: ['png', 'apng'], maxSide: MAX_SIDE, lossless: true },
  bmp: { name: 'BMP', mime: 'image/bmp', extensions: ['bmp', 'dib'], maxSide: MAX_SIDE, lossless: true },
  gif: { name: 'GIF', mime: 'image/gif', extensions: ['gif'], maxSide: 65_535, lossless: true },
  webp: { name: 'WebP', mime: 'image/webp', extensions: ['webp'], maxSide: 16_383, lossless: false },
  tiff: { name: 'TIFF', mime: 'image/tiff', extensions: ['tif', 'tiff'], maxSide: MAX_SIDE, lossless: true },
  ico: { name: 'ICO', mime: 'image/x-icon', extensions: ['ico', 'cur'], maxSide: 256, lossless: true },
  svg: { name: 'SVG', mime: 'image/svg+xml', extensions: ['svg'], maxSide: MAX_SIDE, lossless: true },
  avif: { name: 'AVIF', mime: 'image/avif', extensions: ['avif'], maxSide: 65_536, lossless: false },
  heic: { name: 'HEIC', mime: 'image/heic', extensions: ['heic', 'heif'], maxSide: 65_536, lossless: false },
  jxl: { name: 'JPEG XL', mime: 'image/jxl', extensions: ['jxl'], maxSide: MAX_SIDE, lossless: false },
  // Bare rows by which parts of the engine hand pictures over (`crates/codec-raw`); no file of a camera.
  raw: { name: 'Raw rows', mime: 'application/octet-stream', extensions: ['raw'], maxSide: MAX_SIDE, lossless: true },
};

export function isWritable(format: Format): format is WritableFormat {
  return WRITABLE_FORMATS.some((writable) => writable === format);
}

/** The format that a file extension (no dot, any case) stands for. */
export function formatOfExtension(extension: string): Format | null {
  return FORMAT_BY_EXTENSION.get(extension.toLowerCase()) ?? null;
}

/** For the `accept` attribute of a file input: extensions, since some systems do not know the types, then any image. */
export function acceptedFiles(): string {
  const extensions = READABLE_FORMATS.flatMap((format) =>
    FORMATS[format].extensions.map((extension) => `.${extension}`),
  );
  return [...extensions, 'image/*'].join(',');
}

const FORMAT_BY_EXTENSION: ReadonlyMap<string, Format> = new Map(
  (Object.keys(FORMATS) as Format[]).flatMap((format) =>
    FORMATS[format].extensions.map((extension) => [extension, format] as const),
  ),
);
