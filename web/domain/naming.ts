// The names of output files. Every name is valid on Windows, macOS, Linux and Android.

import { FORMATS, type Format, formatOfExtension, isWrittenAs } from './formats.ts';
import type { Size } from './picture.ts';

export const NAME_TOKENS = ['{name}', '{w}', '{h}', '{n}', '{date}', '{format}'] as const;
export type NameToken = (typeof NAME_TOKENS)[number];

/** The facts that a name can contain. */
export interface OutputFacts {
  /** The original's name, without folders. */
  readonly originalName: string;
  readonly size: Size;
  readonly format: Format;
  /** The number of the result in the run, from 1. */
  readonly index: number;
  readonly count: number;
  /** `2026-02-28` */
  readonly date: string;
}

/** Linux, Android and macOS allow 255 bytes; 16 are reserved for suffixes such as ` (2)`. */
const MAX_NAME_BYTES = 255 - 16;

/** The stem of results whose original has no stem. */
const NAMELESS = 'image';

/** A reason why names will differ from what the pattern says; the names are valid all the same. */
export type PatternProblem =
  | { readonly code: 'unknown-token'; readonly token: string }
  | { readonly code: 'invalid-character'; readonly character: string }
  /** Several results get the same name and are numbered. */
  | { readonly code: 'same-names' };

/** Returns the first problem of a pattern for this number of files; null if there is none. */
export function patternProblem(pattern: string, files: number): PatternProblem | null {
  const tokens: readonly string[] = pattern.match(/\{[^{}]*\}/g) ?? [];
  const unknown = tokens.find((token) => !NAME_TOKENS.some((known) => known === token));
  if (unknown !== undefined) return { code: 'unknown-token', token: unknown };
  const character = INVALID_CHARACTER.exec(pattern)?.[0];
  if (character !== undefined) return { code: 'invalid-character', character };
  const differs = pattern.trim() === '' || tokens.includes('{name}') || tokens.includes('{n}');
  return files > 1 && !differs ? { code: 'same-names' } : null;
}

/** Returns the file name of a result with its extension: `IMG_0012.JPG` → `IMG_0012-1920x1440.JPG`. */
export function resultName(pattern: string, result: OutputFacts): string {
  const { stem: ownStem, extension } = splitName(result.originalName);
  // For an original named `.png`: shells would read `-1920x1440.png` as an option.
  const stem = ownStem === '' ? NAMELESS : ownStem;
  const ending = `.${extensionFor(result.format, extension)}`;
  const limit = MAX_NAME_BYTES - ending.length;
  // Only the original's name is cut, so that the parts that distinguish two results stay.
  const around = utf8Length(clean(expand(pattern, result, '')));
  const base = clean(expand(pattern, result, cutToBytes(stem, Math.max(0, limit - around))));
  const name = trimEnd(cutToBytes(base, limit));
  return withoutReservedWord(name === '' ? NAMELESS : name) + ending;
}

/** Splits a file name. Only extensions of image formats count: `scan 2.0` has no extension. */
export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  const extension = name.slice(dot + 1);
  if (dot < 0 || formatOfExtension(extension) === null) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension };
}

/** Returns the folders of a result as valid names: `trip/day 1/a.jpg` → `trip/day 1`. */
export function folderOf(relativePath: string): string {
  const folders = relativePath.split(/[/\\]/).slice(0, -1);
  const kept = folders.filter((folder) => folder !== '' && folder !== '.' && folder !== '..');
  return kept.map((folder) => withoutReservedWord(trimEnd(cutToBytes(clean(folder), MAX_NAME_BYTES)) || '_')).join('/');
}

/**
 * Makes the paths unique and keeps their order: the second `a/name.jpg` becomes `a/name (2).jpg`. Letter case and
 * Unicode normalisation are ignored, as on Windows and macOS. A path that occurs once stays.
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
      candidate = numberedPath(path, number);
    } while (taken.has(identity(candidate)));
    numbers.set(key, number);
    taken.add(identity(candidate));
    return candidate;
  });
}

function expand(pattern: string, { size, format, index, count, date }: OutputFacts, stem: string): string {
  const values: Readonly<Record<NameToken, string>> = {
    '{name}': stem,
    '{w}': String(size.width),
    '{h}': String(size.height),
    // As many digits as the last number has, so that sorting by name sorts by number.
    '{n}': String(index).padStart(String(count).length, '0'),
    '{date}': date,
    '{format}': FORMATS[format].extensions[0],
  };
  const used = pattern.trim() === '' ? '{name}' : pattern;
  return used.replaceAll(/\{(?:name|w|h|n|date|format)\}/g, (token) => values[token as NameToken]);
}

/** Returns the original's own extension (`JPG`, `jpeg`) if results of this format may have it. */
function extensionFor(format: Format, original: string): string {
  return isWrittenAs(format, original) ? original : FORMATS[format].extensions[0];
}

const INVALID_CHARACTER = /[\p{Cc}<>:"/\\|?*]/u;

/** Removes characters that a file system rejects or that reverse text: `gpj.exe` can look like `exe.jpg`. */
function clean(name: string): string {
  return name
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(new RegExp(INVALID_CHARACTER, 'gu'), '_')
    .trimStart();
}

/** Removes dots and spaces at the end of a name, which Windows drops. */
function trimEnd(name: string): string {
  return name.replace(/[. ]+$/, '');
}

/** Prefixes names that Windows reserves for devices; the text after the first dot does not matter. */
function withoutReservedWord(name: string): string {
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i.test(name) ? `_${name}` : name;
}

/** Returns the path with a number before its extension: `a/name.jpg` → `a/name (2).jpg`. */
export function numberedPath(path: string, number: number): string {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') ? `${path} (${number})` : `${path.slice(0, dot)} (${number})${path.slice(dot)}`;
}

function identity(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Returns the longest beginning of the text that fits into `limit` bytes of UTF-8, in whole characters. */
function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Returns the length in UTF-8 (RFC 3629 §3). A lone surrogate becomes U+FFFD, which takes three bytes too. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}
