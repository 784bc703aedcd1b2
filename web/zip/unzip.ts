// Reads ZIP archives (PKWARE APPNOTE 6.3.10) by their central directory. Nothing is unpacked before it is asked for, and
// stored files are parts of the archive's Blob. The browser inflates.

import { crc32 } from './crc32.ts';

/** A file in an archive. */
export interface ZipMember {
  /** The path with `/` between folders. */
  readonly path: string;
  readonly byteLength: number;
  readonly modified: Date;
  readonly isEncrypted: boolean;
  /** Whether the bytes take new memory when they are read. */
  readonly isCompressed: boolean;
  /** Reads the file. Rejects with `BrokenZip` if it is damaged or larger than it claims. */
  readonly read: () => Promise<Blob>;
}

/** The archive is damaged, or uses what this reader does not know. */
export class BrokenZip extends Error {}

/** The largest directory that is read: about 500,000 files. */
const MOST_DIRECTORY_BYTES = 64 << 20;
/** The end record with the longest comment (4.3.16). */
const MOST_END_BYTES = 22 + 0xffff;
const IN_ZIP64 = 0xffff_ffff;

/** Returns the files of an archive, without folders. Rejects with `BrokenZip`. */
export async function readZip(archive: Blob): Promise<ZipMember[]> {
  const { count, byteLength, offset } = await findDirectory(archive);
  if (byteLength > MOST_DIRECTORY_BYTES || offset + byteLength > archive.size) throw new BrokenZip('directory');
  const view = await viewOf(archive, offset, byteLength);
  const members: ZipMember[] = [];
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x0201_4b50) throw new BrokenZip('directory record');
    const lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const end = at + 46 + lengths.reduce((sum, length) => sum + length, 0);
    if (end > view.byteLength) throw new BrokenZip('directory record');
    const member = memberAt(archive, view, at);
    if (!member.path.endsWith('/')) members.push(member);
    at = end;
  }
  return members;
}

interface Directory {
  readonly count: number;
  readonly byteLength: number;
  readonly offset: number;
}

/** Finds the directory by the end record, or by that of ZIP64 if the first cannot hold a value (4.3.14 to 4.3.16). */
async function findDirectory(archive: Blob): Promise<Directory> {
  const start = Math.max(0, archive.size - MOST_END_BYTES);
  const tail = await viewOf(archive, start, archive.size - start);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x0605_4b50) end -= 1;
  if (end < 0) throw new BrokenZip('no end record');
  const count = tail.getUint16(end + 10, true);
  const byteLength = tail.getUint32(end + 12, true);
  const offset = tail.getUint32(end + 16, true);
  const hasLocator = end >= 20 && tail.getUint32(end - 20, true) === 0x0706_4b50;
  if (!hasLocator) return { count, byteLength, offset };
  const large = await viewOf(archive, u64(tail, end - 20 + 8), 56);
  if (large.byteLength < 56 || large.getUint32(0, true) !== 0x0606_4b50) throw new BrokenZip('no ZIP64 end record');
  return { count: u64(large, 32), byteLength: u64(large, 40), offset: u64(large, 48) };
}

/** Reads a record of the directory (4.3.12). */
function memberAt(archive: Blob, view: DataView<ArrayBuffer>, at: number): ZipMember {
  const u16 = (place: number) => view.getUint16(at + place, true);
  const [flags, method, nameLength, extraLength] = [u16(8), u16(10), u16(28), u16(30)];
  const sum = view.getUint32(at + 16, true);
  const name = new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength);
  const [byteLength = 0, packed = 0, offset = 0] = largeValues(
    [24, 20, 42].map((place) => view.getUint32(at + place, true)),
    new DataView(view.buffer, view.byteOffset + at + 46 + nameLength, extraLength),
  );
  return {
    path: nameFrom(name, (flags & 0x0800) !== 0).replaceAll('\\', '/'),
    byteLength,
    modified: dateOf(u16(14), u16(12)),
    isEncrypted: (flags & 1) !== 0,
    isCompressed: method !== 0,
    read: async () => {
      const header = await viewOf(archive, offset, 30);
      if (header.byteLength < 30 || header.getUint32(0, true) !== 0x0403_4b50) throw new BrokenZip('local header');
      const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
      const data = archive.slice(start, start + packed);
      if (data.size < packed) throw new BrokenZip('data');
      if (method === 0) return data;
      if (method !== 8) throw new BrokenZip(`compression method ${method}`);
      return inflate(data, byteLength, sum);
    },
  };
}

/** Inflates data of a known length and checks it. */
async function inflate(data: Blob, byteLength: number, sum: number): Promise<Blob> {
  const chunks: Blob[] = [];
  let length = 0;
  let crc = 0;
  const reader = data.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      if (value === undefined) break;
      length += value.length;
      if (length > byteLength) throw new BrokenZip('more data than promised');
      crc = crc32(value, crc);
      // A Blob for each chunk, because browsers keep large Blobs on the disk.
      chunks.push(new Blob([value]));
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error instanceof BrokenZip ? error : new BrokenZip('data', { cause: error });
  }
  if (length !== byteLength || crc !== sum) throw new BrokenZip('checksum');
  return new Blob(chunks);
}

/** Replaces the values that are too large for 32 bits by those of the ZIP64 field (4.5.3). */
function largeValues(values: readonly number[], extra: DataView): number[] {
  let at = 0;
  while (at + 4 <= extra.byteLength && extra.getUint16(at, true) !== 0x0001) at += 4 + extra.getUint16(at + 2, true);
  let place = at + 4;
  return values.map((value) => {
    if (value !== IN_ZIP64) return value;
    if (place + 8 > extra.byteLength) throw new BrokenZip('ZIP64 field');
    place += 8;
    return u64(extra, place - 8);
  });
}

/** Decodes a name. Old programs write it in the code page of their system, which the archive does not tell. */
function nameFrom(bytes: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8 }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** Local time, in the resolution of ZIP (4.4.6). */
function dateOf(date: number, time: number): Date {
  const [year, month, day] = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31];
  return new Date(year, month, day, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

async function viewOf(blob: Blob, start: number, length: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await blob.slice(start, start + length).arrayBuffer());
}

/** Exact up to 2^53. */
function u64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
}
