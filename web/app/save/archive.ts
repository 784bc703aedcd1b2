// Results become files: one as it is, several as a ZIP whose parts are the Blobs themselves, so that no image is copied.
// Knows nothing of the page.

import { folderOf, keepApart, type OutputFacts, resultName, splitName } from '../../domain/naming.ts';
import { frameSize } from '../../domain/picture.ts';
import { crc32 } from '../../zip/crc32.ts';
import { type ZipTime, zipFrame } from '../../zip/zip.ts';
import { type Item, nameOf, type OutputFile, outputBlobs } from '../state/item.ts';

export const ARCHIVE_NAME = 'resized-images.zip';

/** One file of the result. */
export interface FileToSave {
  /** With the folders it came in; no two alike. */
  readonly path: string;
  readonly blob: Blob;
  /** Null where nobody has computed it yet: an original that is kept. */
  readonly crc32: number | null;
}

/** A file that can be handed to the user. */
export interface Download {
  readonly name: string;
  readonly blob: Blob;
}

/** The results of all items that have one, named by the pattern. */
export function filesToSave(items: readonly Item[], pattern: string, today: Date): FileToSave[] {
  const finished = items.filter((item) => outputBlobs(item).length > 0);
  const date = isoDate(today);
  const files = finished.flatMap((item, i) => {
    const folder = folderOf(item.path);
    const place = { index: i + 1, count: finished.length, date };
    const names = namesOf(item, place, pattern);
    return outputBlobs(item).map((blob, part) => {
      const name = names[part] ?? nameOf(item);
      const crc32 = crcFromCore(item, part);
      return { path: folder === '' ? name : `${folder}/${name}`, blob, crc32 };
    });
  });
  const apart = keepApart(files.map(({ path }) => path));
  return files.map((file, i) => ({ ...file, path: apart[i] ?? file.path }));
}

/** The core computes it of what it writes. */
function crcFromCore({ phase }: Item, part: number): number | null {
  if (phase.phase === 'done') return phase.outputs[part]?.crc32 ?? null;
  return phase.phase === 'kept' ? (phase.result?.crc32 ?? null) : null;
}

/** The names of what came out of one item, in their order. */
function namesOf(item: Item, place: Pick<OutputFacts, 'index' | 'count' | 'date'>, pattern: string): string[] {
  const { info, phase } = item;
  // A kept original is the original: its name too.
  if (phase.phase !== 'done' || info === null) return [nameOf(item)];
  const tagged = (tagOf: (made: OutputFile) => string) =>
    phase.outputs.map((made) => {
      const { format, width, height } = made;
      const originalName = withTag(nameOf(item), tagOf(made));
      return resultName(pattern, { ...place, originalName, format, size: { width, height } });
    });
  if (phase.outputs.length === 1) return tagged(() => '');
  if (info.sequence !== 'sizes') return tagged(({ frame }) => pageTag(frame, info.frames));
  // Entries of an icon are known by their sizes: by those that the results have, or else by their own.
  const bySize = tagged(() => '');
  const isEnough = new Set(bySize).size === bySize.length;
  return isEnough ? bySize : tagged(({ frame }) => `-${frameSize(info, frame).width}px`);
}

/** `-p02`: pages that became files of their own, in their order however they are sorted. */
function pageTag(page: number, pages: number): string {
  return `-p${String(page + 1).padStart(String(pages).length, '0')}`;
}

/** `scan.tif` → `scan-p02.tif` */
function withTag(name: string, tag: string): string {
  const { stem, extension } = splitName(name);
  return extension === '' ? stem + tag : `${stem}${tag}.${extension}`;
}

/** One result as it is, several as one archive. Checksums that are missing are computed from the Blob in pieces. */
export async function makeDownload(results: readonly FileToSave[], now: Date): Promise<Download> {
  const [first] = results;
  if (results.length === 1 && first !== undefined) {
    return { name: first.path.slice(first.path.lastIndexOf('/') + 1), blob: first.blob };
  }
  const time = zipTime(now);
  const entries = [];
  for (const { path, blob, crc32: known } of results) {
    entries.push({ path, byteLength: blob.size, crc32: known ?? (await crcOf(blob)), time });
  }
  const { headers, directory } = zipFrame(entries);
  const parts = results.flatMap(({ blob }, i) => {
    const header = headers[i];
    return header === undefined ? [] : [header, blob];
  });
  return { name: ARCHIVE_NAME, blob: new Blob([...parts, directory], { type: 'application/zip' }) };
}

async function crcOf(blob: Blob): Promise<number> {
  const reader = blob.stream().getReader();
  let crc = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) crc = crc32(piece.value, crc);
  return crc;
}

function isoDate(date: Date): string {
  const { year, month, day } = zipTime(date);
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

function zipTime(date: Date): ZipTime {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hours: date.getHours(),
    minutes: date.getMinutes(),
    seconds: date.getSeconds(),
  };
}
