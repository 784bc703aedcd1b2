// The results as files: their names with their folders, and their dates.

import { folderOf, keepApart, type OutputFacts, resultName, splitName } from '../../domain/naming.ts';
import { frameSize } from '../../domain/picture.ts';
import { type Item, nameOf, type OutputFile, outputBlobs } from '../state/item.ts';

export interface NamedFile {
  /** The unique name with its folders. */
  readonly path: string;
  readonly blob: Blob;
  /** The checksum; null for a kept original, whose checksum the core did not compute. */
  readonly crc32: number | null;
  /** When the original was changed last. */
  readonly modified: Date;
}

/** A file to be saved. */
export interface FileToSave extends NamedFile {
  /** The item of which the file is a result, and the number of the result among the item's results. */
  readonly item: Item;
  readonly part: number;
}

/** Returns the files of all items that have a result, named by the pattern. */
export function filesToSave(items: readonly Item[], pattern: string, today: Date): FileToSave[] {
  const finished = items.filter((item) => outputBlobs(item).length > 0);
  const date = isoDate(today);
  const files = finished.flatMap((item, i) => {
    const folder = folderOf(item.path);
    const place = { index: i + 1, count: finished.length, date };
    const names = demandedNames(item, finished.length) ?? namesOf(item, place, pattern);
    const modified = new Date(item.file.lastModified);
    return outputBlobs(item).map((blob, part): FileToSave => {
      const name = names[part] ?? nameOf(item);
      const path = folder === '' ? name : `${folder}/${name}`;
      return { path, blob, crc32: crcFromCore(item, part), modified, item, part };
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

/** Returns the names that the use of an item's outputs demands, in a folder of its own if there are several items. */
function demandedNames(item: Item, items: number): string[] | null {
  if (item.phase.phase !== 'done') return null;
  const names = item.phase.outputs.flatMap(({ name }) => name ?? []);
  if (names.length < item.phase.outputs.length) return null;
  const { stem } = splitName(nameOf(item));
  return items === 1 ? names : names.map((name) => `${stem}/${name}`);
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
  const isDivided = info.frames > 1 && phase.outputs.length > 1;
  const tagOf = ({ frame }: OutputFile) => (isDivided && info.sequence !== 'sizes' ? pageTag(frame, info.frames) : '');
  // Results of one image are distinguished by their sizes: those of an icon's entries, and those of several widths.
  const bySize = tagged(tagOf);
  if (new Set(bySize).size === bySize.length) return bySize;
  // If the sizes are equal or not in the names: by the entries' own sizes, or by the widths.
  return tagged(
    info.sequence === 'sizes'
      ? ({ frame }) => `-${frameSize(info, frame).width}px`
      : (it) => `${tagOf(it)}-${it.width}`,
  );
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

/** Returns a path's last part: `trip/a.jpg` → `a.jpg`. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function isoDate(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the files without their folders, under different names. */
export function flattened(files: readonly FileToSave[]): { readonly name: string; readonly blob: Blob }[] {
  const names = keepApart(files.map(({ path }) => nameIn(path)));
  return files.map(({ path, blob }, i) => ({ name: names[i] ?? path, blob }));
}
