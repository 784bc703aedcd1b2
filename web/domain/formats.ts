// The table of formats: the only place in TypeScript that names formats. To add a format, add its row. The names equal
// those of the core (`crates/raster/src/format.rs`).

/** How the images in one file relate to each other. */
export type Sequence = 'single' | 'pages' | 'animation' | 'sizes';

/** The settings that apply to some formats only. `settings.ts` contains their values. */
export type FormatOption =
  | 'quality'
  | 'lossless'
  | 'background'
  | 'coding'
  | 'subsampling'
  | 'effort'
  | 'palette'
  | 'compression'
  | 'colors'
  | 'iconSizes';

/** How the engine writes a format. */
export interface Encoder {
  /** The settings that apply to this format, in the order of their fields. */
  readonly options: readonly FormatOption[];
  /** The options that force encoding again when they differ from their default, even if the pixels stay the same. */
  readonly reencodesFor: readonly FormatOption[];
  /**
   * The memory of the encoder: bytes per pixel of the result, up to a maximum; and the bytes per pixel, without a
   * maximum, that a progressive file needs besides, or one of samples of more than 8 bits (`deep`). `onlyFromPalette`:
   * only if the source has a palette.
   */
  readonly memory: {
    readonly bytesPerPixel: number;
    readonly max: number;
    readonly progressive?: number;
    readonly onlyFromPalette?: boolean;
    readonly deep?: number;
  };
  /** The module that encodes the pictures, if the core does not. It is loaded for the first file of the format. */
  readonly module?: EncoderModule;
  /** The relation of the images in one file that is written, if files that are read can hold more. */
  readonly holds?: 'single';
  /** Whether a gain map is written beside the picture. */
  readonly holdsGainMap?: true;
  /** The bits of a sample that is written, if files that are read can have more. */
  readonly depth?: 8;
}

/** The wasm modules that encode pictures. */
export type EncoderModule = 'webp' | 'avif-encoder' | 'jxl-encoder';

/** The wasm modules that read formats. Each but the core is loaded with the first file of its formats. */
export type Reader = 'core' | 'avif' | 'heic' | 'jxl' | 'svg';

export interface FormatFacts {
  /** The name as users write it. */
  readonly name: string;
  readonly mime: string;
  /** The file extensions without the dot, the usual one first. */
  readonly extensions: readonly [string, ...string[]];
  /** The extensions that only sources have. Results get another extension of the format. */
  readonly readOnlyExtensions?: readonly string[];
  /** The longest side in pixels that a file can declare and the engine can process. */
  readonly maxSide: number;
  /** Whether decoding gives back exactly the encoded samples. */
  readonly lossless: boolean;
  /** Whether the format is one of photographs: opaque ones that cannot be written in it become JPEG. */
  readonly holdsPhotos?: boolean;
  /** The relation of the images in one file of this format; `single` if a file holds one image only. */
  readonly holds: Sequence;
  /** The module that reads the format. Null if none does. */
  readonly reader: Reader | null;
  /** Whether images have no pixels of their own, so that the reader draws them at their target size. */
  readonly isDrawing?: boolean;
  /** Whether the reader decodes an image at a fraction of its size if that is enough, in little memory. */
  readonly readsReduced?: boolean;
  /** Whether decoding takes so long that large pictures are decoded in a worker of their own. */
  readonly decodesSlowly?: boolean;
  /** Whether the core can change a file's metadata without encoding its pixels again: those of all files, or of most. */
  readonly rewritesMetadata: boolean | 'most';
  /** Whether files can compress their metadata, which the module that reads the format unpacks for the core. */
  readonly packsMetadata?: true;
  /** Whether most files can be turned without loss. */
  readonly turnsWithoutLoss?: true;
  /** Whether files state their density in pixels per inch. */
  readonly holdsDensity?: true;
  /** Null if the engine cannot write the format. */
  readonly encoder: Encoder | null;
}

/** The longest side that the engine supports, `raster::MAX_SIDE`. Formats may have lower limits. */
export const MAX_SIDE = 1_000_000;

const MIB = 1 << 20;
const NOT_IN_CORE = { reader: null, rewritesMetadata: false, encoder: null } as const;

// In the order of the format menu.
const TABLE = {
  jpeg: {
    name: 'JPEG',
    mime: 'image/jpeg',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    // T.81 B.2.2: the frame header stores each side in 16 bits.
    maxSide: 65_535,
    lossless: false,
    holds: 'single',
    reader: 'core',
    readsReduced: true,
    decodesSlowly: true,
    rewritesMetadata: true,
    turnsWithoutLoss: true,
    holdsDensity: true,
    encoder: {
      options: ['quality', 'background', 'subsampling', 'coding'],
      reencodesFor: ['quality', 'coding'],
      holdsGainMap: true,
      // The encoder holds up to 16 MiB of rows and up to 8 MiB of Huffman symbols. The coefficients of a progressive file
      // take 1 byte per pixel of a photograph and up to 10 of noise at quality 100.
      memory: { bytesPerPixel: 15, max: 24 * MIB, progressive: 10 },
    },
  },
  png: {
    name: 'PNG',
    mime: 'image/png',
    extensions: ['png', 'apng'],
    maxSide: MAX_SIDE,
    lossless: true,
    holds: 'animation',
    reader: 'core',
    decodesSlowly: true,
    rewritesMetadata: true,
    holdsDensity: true,
    encoder: {
      options: ['effort', 'palette'],
      reencodesFor: [],
      // The encoder holds up to 32 MiB of rows, and an index for each pixel, to reduce their colours.
      memory: { bytesPerPixel: 5, max: 44 * MIB, onlyFromPalette: true },
    },
  },
  tiff: {
    name: 'TIFF',
    mime: 'image/tiff',
    extensions: ['tif', 'tiff'],
    maxSide: MAX_SIDE,
    lossless: true,
    holds: 'pages',
    reader: 'core',
    rewritesMetadata: false,
    holdsDensity: true,
    encoder: { options: ['compression'], reencodesFor: ['compression'], memory: { bytesPerPixel: 0, max: 0 } },
  },
  bmp: {
    name: 'BMP',
    mime: 'image/bmp',
    extensions: ['bmp', 'dib'],
    maxSide: MAX_SIDE,
    lossless: true,
    holds: 'single',
    reader: 'core',
    rewritesMetadata: false,
    holdsDensity: true,
    // BMP stores rows bottom-up: the encoder holds a small image whole and writes a large one row by row.
    encoder: { options: [], reencodesFor: [], memory: { bytesPerPixel: 4, max: 64 * MIB } },
  },
  ico: {
    name: 'ICO',
    mime: 'image/x-icon',
    extensions: ['ico', 'cur'],
    // A cursor is written as an icon, without its hot spot.
    readOnlyExtensions: ['cur'],
    maxSide: 256,
    lossless: true,
    holds: 'sizes',
    reader: 'core',
    rewritesMetadata: false,
    encoder: { options: ['iconSizes'], reencodesFor: [], memory: { bytesPerPixel: 8, max: 2 * MIB } },
  },
  gif: {
    name: 'GIF',
    mime: 'image/gif',
    extensions: ['gif'],
    maxSide: 65_535,
    lossless: true,
    holds: 'animation',
    reader: 'core',
    rewritesMetadata: true,
    // The encoder holds three frames and what the file shows.
    encoder: {
      options: ['colors'],
      reencodesFor: ['colors'],
      memory: { bytesPerPixel: 16, max: Number.MAX_SAFE_INTEGER },
    },
  },
  webp: {
    name: 'WebP',
    mime: 'image/webp',
    extensions: ['webp'],
    maxSide: 16_383,
    lossless: false,
    holds: 'animation',
    reader: 'core',
    rewritesMetadata: true,
    encoder: {
      options: ['quality', 'lossless', 'effort'],
      reencodesFor: ['quality', 'lossless'],
      // libwebp needs 29 bytes per pixel for a lossy picture, 60 for alpha or without loss. The rest are two frames and
      // copies.
      memory: { bytesPerPixel: 84, max: Number.MAX_SAFE_INTEGER },
      module: 'webp',
    },
  },
  avif: {
    name: 'AVIF',
    mime: 'image/avif',
    extensions: ['avif', 'avifs'],
    readOnlyExtensions: ['avifs'],
    maxSide: 65_536,
    lossless: false,
    holds: 'animation',
    holdsPhotos: true,
    reader: 'avif',
    rewritesMetadata: 'most',
    encoder: {
      options: ['quality', 'effort'],
      reencodesFor: ['quality'],
      // libavif needs 66 bytes per pixel, and 96 for samples of more than 8 bits. The rest are copies.
      memory: { bytesPerPixel: 80, max: Number.MAX_SAFE_INTEGER, deep: 37 },
      module: 'avif-encoder',
      holds: 'single',
    },
  },
  jxl: {
    name: 'JPEG XL',
    mime: 'image/jxl',
    extensions: ['jxl'],
    maxSide: MAX_SIDE,
    lossless: false,
    holds: 'animation',
    reader: 'jxl',
    rewritesMetadata: 'most',
    packsMetadata: true,
    encoder: {
      options: ['quality', 'lossless', 'effort'],
      reencodesFor: ['quality', 'lossless'],
      // libjxl needs 130 bytes per pixel. The rest are copies.
      memory: { bytesPerPixel: 144, max: Number.MAX_SAFE_INTEGER },
      module: 'jxl-encoder',
      holds: 'single',
      depth: 8,
    },
  },
  svg: {
    name: 'SVG',
    mime: 'image/svg+xml',
    extensions: ['svg', 'svgz'],
    // Drawings are written without compression.
    readOnlyExtensions: ['svgz'],
    maxSide: MAX_SIDE,
    lossless: true,
    holds: 'single',
    reader: 'svg',
    isDrawing: true,
    rewritesMetadata: false,
    encoder: { options: [], reencodesFor: [], memory: { bytesPerPixel: 0, max: 0 } },
  },
  heic: {
    name: 'HEIC',
    mime: 'image/heic',
    extensions: ['heic', 'heif'],
    maxSide: 65_536,
    lossless: false,
    holds: 'single',
    holdsPhotos: true,
    ...NOT_IN_CORE,
    reader: 'heic',
  },
  qoi: {
    name: 'QOI',
    mime: 'image/qoi',
    extensions: ['qoi'],
    maxSide: MAX_SIDE,
    lossless: true,
    holds: 'single',
    ...NOT_IN_CORE,
    reader: 'core',
  },
  pnm: {
    name: 'PNM',
    mime: 'image/x-portable-anymap',
    extensions: ['pnm', 'pbm', 'pgm', 'ppm', 'pam'],
    maxSide: MAX_SIDE,
    lossless: true,
    holds: 'single',
    ...NOT_IN_CORE,
    reader: 'core',
  },
  tga: {
    name: 'TGA',
    mime: 'image/x-tga',
    extensions: ['tga'],
    maxSide: 65_535,
    lossless: true,
    holds: 'single',
    ...NOT_IN_CORE,
    reader: 'core',
  },
  // Uncompressed rows (`crates/codec-raw`); not a camera's raw file.
  raw: {
    name: 'Raw rows',
    mime: 'application/octet-stream',
    extensions: ['raw'],
    maxSide: MAX_SIDE,
    lossless: true,
    holds: 'single',
    ...NOT_IN_CORE,
  },
} as const satisfies Readonly<Record<string, FormatFacts>>;

type Table = typeof TABLE;

export type Format = keyof Table;

/** The formats that the engine can write today. */
export type WritableFormat = { [F in Format]: Table[F]['encoder'] extends Encoder ? F : never }[Format];

/** The options of one format. */
export type OptionOf<F extends WritableFormat> = Table[F]['encoder']['options'][number];

interface WritableFacts extends FormatFacts {
  readonly encoder: Encoder;
}

export const FORMATS: Readonly<Record<Format, FormatFacts> & Record<WritableFormat, WritableFacts>> = TABLE;

const ALL = Object.keys(TABLE) as readonly Format[];

/** The formats that every picture can be written in. A drawing's own format is not among them: pixels are no drawing. */
export const WRITABLE_FORMATS: readonly WritableFormat[] = ALL.filter(isWritable).filter(
  (format) => !FORMATS[format].isDrawing,
);

/** The output format for sources whose format cannot be written: it is lossless, and every program opens it. */
export const FALLBACK_FORMAT: WritableFormat = 'png';

export function isWritable(format: Format): format is WritableFormat {
  return FORMATS[format].encoder !== null;
}

/** Returns how the images in one file relate to each other that the engine writes. */
export function heldByResults(format: Format): Sequence {
  return FORMATS[format].encoder?.holds ?? FORMATS[format].holds;
}

/** Returns the module that encodes the pictures of a format; undefined where the core does, as for raw rows. */
export function encoderModuleOf(format: Format): EncoderModule | undefined {
  return FORMATS[format].encoder?.module;
}

/** Returns the format of a file extension (no dot, any case). */
export function formatOfExtension(extension: string): Format | null {
  return FORMAT_BY_EXTENSION.get(extension.toLowerCase()) ?? null;
}

/** Whether results of a format may have a file extension (no dot, any case). */
export function isWrittenAs(format: Format, extension: string): boolean {
  const isReadOnly = FORMATS[format].readOnlyExtensions?.includes(extension.toLowerCase()) ?? false;
  return formatOfExtension(extension) === format && !isReadOnly;
}

/** The formats that can be read. */
export const READABLE_FORMATS: readonly Format[] = ALL.filter((format) => FORMATS[format].reader !== null);

/**
 * Returns the value of a file input's `accept`: extensions, because some systems do not know the types, then any image.
 */
export function acceptedFiles(): string {
  const extensions = READABLE_FORMATS.flatMap((format) =>
    FORMATS[format].extensions.map((extension) => `.${extension}`),
  );
  return [...extensions, 'image/*'].join(',');
}

const FORMAT_BY_EXTENSION: ReadonlyMap<string, Format> = new Map(
  ALL.flatMap((format) => FORMATS[format].extensions.map((extension) => [extension, format] as const)),
);
