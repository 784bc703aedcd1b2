// The report about all files of the list, as CSV and as JSON: sizes, bytes, formats, notes and SHA-256.

import type { Format } from '../../domain/formats.ts';
import { uprightSize } from '../../domain/picture.ts';
import type { Words } from '../../i18n/index.ts';
import type { FileToSave } from '../save/index.ts';
import type { Item, ItemId } from '../state/item.ts';
import { failureMessage, keptMessages, warningMessage, warningsOf } from '../state/item-messages.ts';

/** A line of the report: a result, or a file without one. The names of the fields are those of the report. */
export interface ReportRow {
  /** The file as it was added, with its folders. */
  readonly file: string;
  readonly state: 'resized' | 'kept' | 'failed' | 'waiting';
  readonly format: Format | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number;
  readonly saved_as: string | null;
  readonly saved_format: Format | null;
  readonly saved_width: number | null;
  readonly saved_height: number | null;
  readonly saved_bytes: number | null;
  readonly notes: string;
  /** Of the result; null if the page cannot compute it, which needs https. */
  readonly saved_sha256: string | null;
}

const FIELDS = [
  ...['file', 'state', 'format', 'width', 'height', 'bytes'],
  ...['saved_as', 'saved_format', 'saved_width', 'saved_height', 'saved_bytes', 'notes', 'saved_sha256'],
] as readonly (keyof ReportRow)[];

/** Returns the lines for all items; `files` are their results. One result at a time is in memory. */
export async function reportRows(
  items: readonly Item[],
  files: readonly FileToSave[],
  words: Words,
): Promise<ReportRow[]> {
  const results = new Map<ItemId, FileToSave[]>();
  for (const file of files) results.set(file.item.id, [...(results.get(file.item.id) ?? []), file]);
  const rows: ReportRow[] = [];
  for (const item of items) {
    const own = results.get(item.id) ?? [];
    for (const file of own) rows.push(await resultRow(file, words));
    if (own.length === 0) rows.push(rowOf(item, words));
  }
  return rows;
}

/** Returns the line of a file without a result. */
function rowOf(item: Item, words: Words): ReportRow {
  const { file, info, path, phase } = item;
  const size = info === null ? null : uprightSize(info);
  return {
    file: path,
    state: phase.phase === 'failed' ? 'failed' : 'waiting',
    format: info?.format ?? null,
    width: size?.width ?? null,
    height: size?.height ?? null,
    bytes: file.size,
    saved_as: null,
    saved_format: null,
    saved_width: null,
    saved_height: null,
    saved_bytes: null,
    notes: phase.phase === 'failed' ? words.joined(failureMessage(phase.failure)) : '',
    saved_sha256: null,
  };
}

async function resultRow({ path, blob, item, part }: FileToSave, words: Words): Promise<ReportRow> {
  const row = rowOf(item, words);
  const { phase, info } = item;
  const written = phase.phase === 'done' ? phase.outputs[part] : null;
  const format = written?.format ?? row.format;
  const kept = phase.phase === 'kept' ? keptMessages(phase.reason, phase.rewrittenFor, true) : [];
  const result = phase.phase === 'kept' ? phase.result : written;
  const warnings = format === null ? [] : warningsOf(info, result?.warnings ?? [], format);
  const notes = [...kept, ...warnings.map((warning) => warningMessage(warning, format ?? 'png', info?.sequence))];
  return {
    ...row,
    state: phase.phase === 'kept' ? 'kept' : 'resized',
    saved_as: path,
    saved_format: format,
    saved_width: written?.width ?? row.width,
    saved_height: written?.height ?? row.height,
    saved_bytes: blob.size,
    notes: words.joined(...notes),
    saved_sha256: await sha256(blob),
  };
}

async function sha256(blob: Blob): Promise<string | null> {
  if (!isSecureContext) return null;
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the lines as CSV (RFC 4180). It begins with a byte-order mark, without which Excel does not read UTF-8. */
export function toCsv(rows: readonly ReportRow[]): string {
  const lines = [FIELDS, ...rows.map((row) => FIELDS.map((name) => row[name]))];
  return `\uFEFF${lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;
}

export function toJson(rows: readonly ReportRow[], made: Date): string {
  return `${JSON.stringify({ made: made.toISOString(), files: rows }, null, 2)}\n`;
}

/** Returns a cell. A file name must not become a formula: spreadsheets take a cell that begins with `'` for text. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
