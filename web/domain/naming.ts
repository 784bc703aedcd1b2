// What the results are called. Every name that leaves here can be written on Windows, macOS, Linux and Android.

import { FORMATS, type Format, formatOfExtension } from './formats.ts';
import type { Size } from './job.ts';
import { cutToBytes, utf8 } from './utf8.ts';

export const NAME_TOKENS = ['{name}', '{w}', '{h}', '{n}', '{date}', '{format}'] as const;
export type NameToken = (typeof NAME_TOKENS)[number];

/** The facts that a name is made of. */
export interface NamedResult {
  /** The original's name, without folders. */
  readonly originalName: string;
  readonly size: Size;
  readonly format: Format;
  /** The result's number among all of the run, from 1. */
  readonly index: number;
  readonly count: number;
  /** `2026-02-28` */
  readonly date: string;
}

/** Linux, Android and macOS hold 255 bytes; 16 are left for ` (2)` and its like. */
const MAX_NAME_BYTES = 255 - 16;

/** For results whose original has no name. */
const NAMELESS = 'image';

/** The file name of a result, extension included: `IMG_0012.JPG` → `IMG_0012-1920x1440.JPG`. */
export function resultName(pattern: string, result: NamedResult): string {
  const { stem: ownStem, extension } = splitName(result.originalName);
  // `.png` alone: `-1920x1440.png` would look like an option to every shell.
  const stem = ownStem === '' ? NAMELESS : ownStem;
  const ending = `.${extensionFor(result.format, extension)}`;
  const limit = MAX_NAME_BYTES - ending.length;
  // A long original name gives way, so that what tells two results apart stays.
  const around = utf8(clean(expand(pattern, result, ''))).length;
  const base = clean(expand(pattern, result, cutToBytes(stem, Math.max(0, limit - around))));
  const name = trimEnd(cutToBytes(base, limit));
  return withoutReservedWord(name === '' ? NAMELESS : name) + ending;
}

/** A file name's parts; only an ending that some image format has is an extension: `scan 2.0` has none. */
export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  const extension = name.slice(dot + 1);
  if (dot < 0 || formatOfExtension(extension) === null) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension };
}

/** `trip/day 1/a.jpg` → `trip/day 1`: the folders that a result goes to, each a name that can be written. */
export function folderOf(relativePath: string): string {
  const folders = relativePath.split(/[/\\]/).slice(0, -1);
  const kept = folders.filter((folder) => folder !== '' && folder !== '.' && folder !== '..');
  return kept.map((folder) => withoutReservedWord(trimEnd(cutToBytes(clean(folder), MAX_NAME_BYTES)) || '_')).join('/');
}

/**
 * Paths that no two files share, in the same order: the second `a/name.jpg` becomes `a/name (2).jpg`. Capitals and ways
 * to write an accent do not tell files apart, since on Windows and macOS they do not. A path that is there once keeps
 * its name.
 */
export function keepApart(paths: readonly string[]): string[] {
  const taken = new Set(paths.map(identity));
  const met = new Set<string>();
  const numbers = new Map<string, number>();
  return paths.map((path) => {
    const key = identity(path);
    if (!met.has(key)) {
      met.add(key);
      return path;
    }
    let number = numbers.get(key) ?? 1;
    let candidate: string;
    do {
      number += 1;
      candidate = numbered(path, number);
    } while (taken.has(identity(candidate)));
    numbers.set(key, number);
    taken.add(identity(candidate));
    return candidate;
  });
}

function expand(pattern: string, { size, format, index, count, date }: NamedResult, stem: string): string {
  const values: Readonly<Record<NameToken, string>> = {
    '{name}': stem,
    '{w}': String(size.width),
    '{h}': String(size.height),
    // As many digits as the last one has, so that sorting by name is sorting by number.
    '{n}': String(index).padStart(String(count).length, '0'),
    '{date}': date,
    '{format}': FORMATS[format].extensions[0],
  };
  const used = pattern.trim() === '' ? '{name}' : pattern;
  return used.replaceAll(/\{(?:name|w|h|n|date|format)\}/g, (token) => values[token as NameToken]);
}

/** The original's own spelling (`JPG`, `jpeg`) where it stands for the format of the result. */
function extensionFor(format: Format, original: string): string {
  return formatOfExtension(original) === format ? original : FORMATS[format].extensions[0];
}

/** Without what some file system refuses, and without marks that turn the direction of text: `gpj.exe` can look like `exe.jpg`. */
function clean(name: string): string {
  return name
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, '_')
    .trimStart();
}

/** Windows drops dots and spaces at the end of a name. */
function trimEnd(name: string): string {
  return name.replace(/[. ]+$/, '');
}

/** Windows keeps some words for devices, whatever follows their first dot. */
function withoutReservedWord(name: string): string {
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i.test(name) ? `_${name}` : name;
}

function numbered(path: string, number: number): string {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') ? `${path} (${number})` : `${path.slice(0, dot)} (${number})${path.slice(dot)}`;
}

function identity(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
