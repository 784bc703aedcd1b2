// Results become files: one as it is, several as a ZIP whose parts are the Blobs themselves, so that no image is copied.
// Knows nothing of the page; `download.ts` hands the file over.

import { crc32 } from '../../domain/crc32.ts';
import { folderOf, keepApart, type NamedResult, resultName, splitName } from '../../domain/naming.ts';
import { type ZipTime, zipFrame } from '../../domain/zip.ts';
import { type Item, nameOf, outputsOf } from '../queue/index.ts';

export const ARCHIVE_NAME = 'resized-images.zip';

/** One file of the result. */
export interface Result {
  /** With the folders it came in; no two alike. */
  readonly path: string;
  readonly blob: Blob;
  /** Null where nobody has computed it yet: an original that is kept. */
  readonly crc32: number | null;
}

/** A file that can be handed to the user. */
export interface Package {
  readonly name: string;
  readonly blob: Blob;
}

/** The results of all items that have one, named by the pattern. */
export function resultsOf(items: readonly Item[], pattern: string, today: Date): Result[] {
  const finished = items.filter((item) => outputsOf(item).length > 0);
  const date = isoDate(today);
  const files = finished.flatMap((item, i) => {
    const folder = folderOf(item.path);
    const place = { index: i + 1, count: finished.length, date };
    return outputsOf(item).map((blob, page) => {
      const name = namedAs(item, page, place, pattern);
      const crc32 = crcFromCore(item, page);
      return { path: folder === '' ? name : `${folder}/${name}`, blob, crc32 };
    });
  });
  const apart = keepApart(files.map(({ path }) => path));
  return files.map((file, i) => ({ ...file, path: apart[i] ?? file.path }));
}

/** The core computes it of what it writes. */
function crcFromCore({ phase }: Item, page: number): number | null {
  if (phase.phase === 'done') return phase.results[page]?.crc32 ?? null;
  return phase.phase === 'kept' ? (phase.result?.crc32 ?? null) : null;
}

function namedAs(
  item: Item,
  page: number,
  place: Pick<NamedResult, 'index' | 'count' | 'date'>,
  pattern: string,
): string {
  const { info, phase } = item;
  const originalName = nameOf(item);
  const result = phase.phase === 'done' ? phase.results[page] : undefined;
  // A kept original is the original: its name too.
  if (phase.phase !== 'done' || result === undefined || info === null) return originalName;
  const { format, width, height } = result;
  const name = phase.results.length === 1 ? originalName : pageName(originalName, page, phase.results.length);
  return resultName(pattern, { ...place, originalName: name, format, size: { width, height } });
}

/** `scan.tif` → `scan-p02.tif`: pages that became files of their own, in their order however they are sorted. */
function pageName(name: string, page: number, pages: number): string {
  const { stem, extension } = splitName(name);
  const numbered = `${stem}-p${String(page + 1).padStart(String(pages).length, '0')}`;
  return extension === '' ? numbered : `${numbered}.${extension}`;
}

/** One result as it is, several as one archive. Checksums that are missing are computed from the Blob in pieces. */
export async function packageOf(results: readonly Result[], now: Date): Promise<Package> {
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
