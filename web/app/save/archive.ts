// Makes the download: one result as it is, several as a ZIP archive. The archive's parts are the Blobs of the results,
// so no image is copied.

import { crc32 } from '../../zip/crc32.ts';
import { type ZipTime, zipFrame } from '../../zip/zip.ts';
import { type NamedFile, nameIn } from './files.ts';

/** The name of archives and reports, without the extension. */
export const DOWNLOAD_NAME = 'resized-images';

/** A file that the user downloads. */
export interface Download {
  readonly name: string;
  readonly blob: Blob;
}

/** Makes the download: one file as it is, several as an archive. */
export function makeDownload(files: readonly NamedFile[]): Download | Promise<Download> {
  const [first] = files;
  if (files.length !== 1 || first === undefined) return makeArchive(files);
  return { name: nameIn(first.path), blob: first.blob };
}

/** Makes an archive. Missing checksums are computed chunk by chunk. */
export async function makeArchive(files: readonly NamedFile[]): Promise<Download> {
  const entries = [];
  for (const { path, blob, crc32: known, modified } of files) {
    entries.push({ path, byteLength: blob.size, crc32: known ?? (await crcOf(blob)), time: zipTime(modified) });
  }
  const { headers, directory } = zipFrame(entries);
  const parts = files.flatMap(({ blob }, i) => {
    const header = headers[i];
    return header === undefined ? [] : [header, blob];
  });
  return { name: `${DOWNLOAD_NAME}.zip`, blob: new Blob([...parts, directory], { type: 'application/zip' }) };
}

async function crcOf(blob: Blob): Promise<number> {
  const reader = blob.stream().getReader();
  let crc = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) crc = crc32(chunk.value, crc);
  return crc;
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
