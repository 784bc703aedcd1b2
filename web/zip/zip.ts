// Uncompressed ZIP archives (PKWARE APPNOTE 6.3.10); images are already compressed. An archive is `[header, file,
// header, file, …, directory]`. This module makes the bytes around the files; the caller joins them with the files in
// one Blob, without a copy.

/** Local time in the resolution of ZIP. */
export interface ZipTime {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

export interface ZipEntry {
  /** The path with `/` between folders. Paths must be unique (`keepApart`). */
  readonly path: string;
  readonly byteLength: number;
  readonly crc32: number;
  readonly time: ZipTime;
}

/** The bytes of an archive around its files. */
export interface ZipFrame {
  /** `headers[i]` precedes the i-th file. */
  readonly headers: readonly Uint8Array<ArrayBuffer>[];
  /** The end of the archive. */
  readonly directory: Uint8Array<ArrayBuffer>;
  /** The length of the whole archive, files included. */
  readonly byteLength: number;
}

export function zipFrame(entries: readonly ZipEntry[]): ZipFrame {
  const headers = entries.map(localHeader);
  const records: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  entries.forEach((entry, i) => {
    records.push(directoryRecord(entry, offset));
    offset += (headers[i]?.length ?? 0) + entry.byteLength;
  });
  const recordBytes = records.reduce((sum, record) => sum + record.length, 0);
  const directory = join([...records, ...endOfDirectory(entries.length, recordBytes, offset)]);
  return { headers, directory, byteLength: offset + directory.length };
}

/** The value of a 32-bit field whose real value is in the ZIP64 field (APPNOTE 4.4.1.4). */
const IN_ZIP64 = 0xffff_ffff;
const COUNT_IN_ZIP64 = 0xffff;

/** The versions of the specification that introduced folders and ZIP64 (4.4.3.2). */
const VERSION = 20;
const ZIP64_VERSION = 45;

/** The flag for names in UTF-8 (4.4.4, bit 11). */
const UTF8_NAMES = 0x0800;

/** The local file header (4.3.7). */
function localHeader(entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const isLarge = entry.byteLength >= IN_ZIP64;
  // A local header must have both sizes (4.5.3).
  const zip64 = isLarge ? zip64Field([entry.byteLength, entry.byteLength]) : NOTHING;
  const name = UTF8.encode(entry.path);
  const length = Math.min(entry.byteLength, IN_ZIP64);
  const fields = new Fields(30).u32(0x0403_4b50).u16(isLarge ? ZIP64_VERSION : VERSION);
  writeShared(fields, entry, length).u16(name.length).u16(zip64.length);
  return join([fields.bytes, name, zip64]);
}

/** The central directory header (4.3.12). */
function directoryRecord(entry: ZipEntry, offset: number): Uint8Array<ArrayBuffer> {
  const length = Math.min(entry.byteLength, IN_ZIP64);
  // The ZIP64 field contains only the values that do not fit, in this order (4.5.3).
  const large = [entry.byteLength, entry.byteLength, offset].filter((value) => value >= IN_ZIP64);
  const zip64 = large.length > 0 ? zip64Field(large) : NOTHING;
  const version = large.length > 0 ? ZIP64_VERSION : VERSION;
  const name = UTF8.encode(entry.path);
  const fields = new Fields(46).u32(0x0201_4b50).u16(version).u16(version);
  writeShared(fields, entry, length).u16(name.length).u16(zip64.length);
  // The zeros: no comment, first disk, no attributes.
  fields.u16(0).u16(0).u16(0).u32(0).u32(Math.min(offset, IN_ZIP64));
  return join([fields.bytes, name, zip64]);
}

/** The fields that both kinds of header share: from the flags to the sizes. */
function writeShared(fields: Fields, { time, crc32 }: ZipEntry, length: number): Fields {
  return fields.u16(UTF8_NAMES).u16(0).u16(dosTime(time)).u16(dosDate(time)).u32(crc32).u32(length).u32(length);
}

/** The ZIP64 extra field (4.5.3). */
function zip64Field(values: readonly number[]): Uint8Array<ArrayBuffer> {
  const fields = new Fields(4 + 8 * values.length).u16(0x0001).u16(8 * values.length);
  for (const value of values) fields.u64(value);
  return fields.bytes;
}

/** The end record (4.3.14 to 4.3.16), preceded by the ZIP64 records if it cannot hold a value. */
function endOfDirectory(count: number, bytes: number, offset: number): Uint8Array<ArrayBuffer>[] {
  const end = new Fields(22).u32(0x0605_4b50).u16(0).u16(0);
  const shortCount = Math.min(count, COUNT_IN_ZIP64);
  end.u16(shortCount).u16(shortCount).u32(Math.min(bytes, IN_ZIP64)).u32(Math.min(offset, IN_ZIP64)).u16(0);
  if (count < COUNT_IN_ZIP64 && bytes < IN_ZIP64 && offset < IN_ZIP64) return [end.bytes];
  // The length of this record excludes its first 12 bytes.
  const end64 = new Fields(56).u32(0x0606_4b50).u64(44).u16(ZIP64_VERSION).u16(ZIP64_VERSION).u32(0).u32(0);
  end64.u64(count).u64(count).u64(bytes).u64(offset);
  const locator = new Fields(20)
    .u32(0x0706_4b50)
    .u32(0)
    .u64(offset + bytes)
    .u32(1);
  return [end64.bytes, locator.bytes, end.bytes];
}

/** The time of day in steps of two seconds (4.4.6). */
function dosTime({ hours, minutes, seconds }: ZipTime): number {
  return (hours << 11) | (minutes << 5) | (seconds >> 1);
}

/** The date; seven bits hold the years from 1980 (4.4.6). */
function dosDate({ year, month, day }: ZipTime): number {
  if (year < 1980) return (1 << 5) | 1;
  return (Math.min(year - 1980, 127) << 9) | (month << 5) | day;
}

const NOTHING = new Uint8Array(0);
const UTF8 = new TextEncoder();

/** Writes little-endian numbers one after another. */
class Fields {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
  }

  u16(value: number): this {
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
    return this;
  }

  u32(value: number): this {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }

  /** Exact up to 2^53. */
  u64(value: number): this {
    return this.u32(value % 0x1_0000_0000).u32(Math.floor(value / 0x1_0000_0000));
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
