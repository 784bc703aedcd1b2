// Results become files: one as it is, several as a ZIP whose parts are the Blobs themselves, so that no image is copied.
// Knows nothing of the page; `download.ts` hands the file over.

import { crc32 } from '../../domain/crc32.ts';
import { folderOf, keepApart, type NamedResult, resultName } from '../../domain/naming.ts';
import { type ZipTime, zipFrame } from '../../domain/zip.ts';
import { type Item, nameOf, outputOf } from '../queue/index.ts';

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
  const finished = items.filter((item) => outputOf(item) !== null);
  const date = isoDate(today);
  const paths = finished.map((item, i) => {
    const folder = folderOf(item.path);
    const name = namedAs(item, { index: i + 1, count: finished.length, date }, pattern);
    return folder === '' ? name : `${folder}/${name}`;
  });
  const apart = keepApart(paths);
  return finished.flatMap((item, i) => {
    const blob = outputOf(item);
    const path = apart[i];
    if (blob === null || path === undefined) return [];
    return [{ path, blob, crc32: item.phase.phase === 'done' ? item.phase.result.crc32 : null }];
  });
}

function namedAs(item: Item, place: Pick<NamedResult, 'index' | 'count' | 'date'>, pattern: string): string {
  const { info, phase } = item;
  const originalName = nameOf(item);
  // A kept original is the original: its name too.
  if (phase.phase !== 'done' || info === null) return originalName;
  const { format, width, height } = phase.result;
  return resultName(pattern, { ...place, originalName, format, size: { width, height } });
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
