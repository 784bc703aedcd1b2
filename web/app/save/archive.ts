// Names the results and makes the download: one result as it is, several as a ZIP archive. The archive's parts are the
// Blobs of the results, so no image is copied.

import { folderOf, keepApart, type OutputFacts, resultName, splitName } from '../../domain/naming.ts';
import { frameSize } from '../../domain/picture.ts';
import { crc32 } from '../../zip/crc32.ts';
import { type ZipTime, zipFrame } from '../../zip/zip.ts';
import { type Item, nameOf, type OutputFile, outputBlobs } from '../state/item.ts';

export const ARCHIVE_NAME = 'resized-images.zip';

/** A file to be saved. */
export interface FileToSave {
  /** The unique name with its folders. */
  readonly path: string;
  readonly blob: Blob;
  /** The checksum; null for a kept original, whose checksum the core did not compute. */
  readonly crc32: number | null;
}

/** A file that the user downloads. */
export interface Download {
  readonly name: string;
  readonly blob: Blob;
}

/** Returns the files of all items that have a result, named by the pattern. */
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

/** Returns the checksum that the core computed while writing a file. */
function crcFromCore({ phase }: Item, part: number): number | null {
  if (phase.phase === 'done') return phase.outputs[part]?.crc32 ?? null;
  return phase.phase === 'kept' ? (phase.result?.crc32 ?? null) : null;
}

/** Returns the names of the outputs of one item, in their order. */
function namesOf(item: Item, place: Pick<OutputFacts, 'index' | 'count' | 'date'>, pattern: string): string[] {
  const { info, phase } = item;
  // A kept original keeps its name.
  if (phase.phase !== 'done' || info === null) return [nameOf(item)];
  const tagged = (tagOf: (output: OutputFile) => string) =>
    phase.outputs.map((output) => {
      const { format, width, height } = output;
      const originalName = withTag(nameOf(item), tagOf(output));
      return resultName(pattern, { ...place, originalName, format, size: { width, height } });
    });
  if (phase.outputs.length === 1) return tagged(() => '');
  if (info.sequence !== 'sizes') return tagged(({ frame }) => pageTag(frame, info.frames));
  // Entries of an icon are distinguished by the sizes of the results if these differ, otherwise by their own sizes.
  const bySize = tagged(() => '');
  const isEnough = new Set(bySize).size === bySize.length;
  return isEnough ? bySize : tagged(({ frame }) => `-${frameSize(info, frame).width}px`);
}

/** Returns `-p02`: the number of a page with leading zeros, so that files sort in the order of the pages. */
function pageTag(page: number, pages: number): string {
  return `-p${String(page + 1).padStart(String(pages).length, '0')}`;
}

/** Adds a tag to a name: `scan.tif` → `scan-p02.tif`. */
function withTag(name: string, tag: string): string {
  const { stem, extension } = splitName(name);
  return extension === '' ? stem + tag : `${stem}${tag}.${extension}`;
}

/** Makes the download: one file as it is, several as an archive. Missing checksums are computed chunk by chunk. */
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
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) crc = crc32(chunk.value, crc);
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
