// @ts-check
// Compiles locales/<locale>.json: the page formats syntax trees, so it needs no parser. Messages that are shown only when
// there are files are part of a chunk, which is loaded with the first file; all others are part of each page.
import fs from 'node:fs';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { root } from './toolchain.mjs';

/** @typedef {import('../web/i18n/messages.ts').CompiledMessages} CompiledMessages */

/** @param {string} locale @returns {Record<string, string>} */
export function readMessages(locale) {
  return JSON.parse(fs.readFileSync(path.join(root, 'locales', `${locale}.json`), 'utf8'));
}

/** @returns {string[]} the languages that have messages */
export function messageLocales() {
  const names = fs.readdirSync(path.join(root, 'locales')).map((file) => path.basename(file, '.json'));
  return names.filter((name) => name !== 'notes');
}

/** The messages of the list of files, of the preview, of the advanced settings and of files with several images. */
const groups =
  'item|failure|warning|note|kept|preview|kernel|ringing|light|coding|decoding|effort|palette|lossless|colors|compression|icon|pages|frames|entries|left|save|names|presets|toast|archive|check|focus|crop|border|status|recovered|subsampling|summary|sheet|sharpen|turn|profile';

const isLater = new RegExp(`^(${groups})\\.`);

/**
 * Other messages that the first load does not need: those of the fields in closed cards, of the list's toolbar and of a
 * run.
 */
const fields = new Set([
  ...['format.label', 'format.quality', 'format.quality.auto', 'format.quality.note', 'format.background'],
  ...['format.appIcons', 'format.limit', 'format.limit.unit', 'format.limit.note', 'format.problem.limit'],
  ...['missing', 'number', 'percent', 'huge', 'megapixels', 'widths', 'density'].map(
    (problem) => `size.problem.${problem}`,
  ),
  ...['metadata.label', 'metadata.note'],
  ...['action.undo', 'action.close', 'add.more', 'size.notEnlarged', 'size.enlarge'],
  ...['size.shortest', 'size.megapixels', 'size.unit.megapixels', 'size.widths', 'size.widths.note'],
  ...['size.unit', 'size.density', 'size.density.name', 'size.density.kept', 'size.density.note'],
  ...['size.appIcons', 'size.appIcons.note'],
  ...['shrink', 'grow', 'recode', 'keep'].map((change) => `size.count.${change}`),
  ...[
    'list.label',
    'list.total',
    'list.files',
    'list.copies',
    'list.removeCopies',
    'list.onlyFailed',
    'list.sameReason',
    'list.showAll',
    'list.showFailed',
  ],
]);

/** Messages of these groups that the first load needs. */
const exceptions = new Set([
  'item.pixels',
  'failure.unloaded',
  ...['status.idle', 'status.removed', 'status.restored'],
  'save.problem',
  'names.title',
  'presets.title',
]);

/** @param {string} key @returns {boolean} whether the first load does not need a message */
function isLaterMessage(key) {
  return fields.has(key) || (isLater.test(key) && !exceptions.has(key));
}

/**
 * Throws if the code of the first load uses a message that is loaded later.
 * @param {string} code
 */
export function checkFirstMessages(code) {
  const used = new RegExp(`["'\`]((?:${groups}|format|metadata|list|size)\\.[\\w.]*)`, 'g');
  for (const [, key = ''] of code.matchAll(used)) {
    if (isLaterMessage(key)) throw new Error(`the first load uses the message ${key}, which is loaded later`);
  }
}

/** @param {string} locale @returns {CompiledMessages} the messages that the first load does not need */
export function laterMessages(locale) {
  return compileMessages(pick(readMessages(locale), isLaterMessage));
}

/** @param {string} locale @returns {CompiledMessages} the messages of each page */
export function pageMessages(locale) {
  return compileMessages(pick(readMessages(locale), (key) => !isLaterMessage(key)));
}

/** @param {Record<string, string>} messages @param {(key: string) => boolean} accepts */
function pick(messages, accepts) {
  return Object.fromEntries(Object.entries(messages).filter(([key]) => accepts(key)));
}

/** @param {Record<string, string>} messages @returns {CompiledMessages} */
export function compileMessages(messages) {
  const compiled = Object.entries(messages).map(([key, text]) => [key, parse(text, { captureLocation: false })]);
  return Object.fromEntries(compiled);
}
