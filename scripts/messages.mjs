// @ts-check
// Compiles locales/<locale>.json: the page formats syntax trees, so it needs no parser. The messages that only the list of
// files shows are part of its chunk, which is loaded with the first file; all others are part of each page.
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

/** Messages with these beginnings that are needed before the list is loaded. */
const exceptions = new Set(['item.pixels', 'failure.read', 'failure.tooLong', 'failure.unloaded']);

/** @param {string} key @returns {boolean} whether only the list shows a message */
export function isListMessage(key) {
  return /^(item|failure|warning|note|kept)\./.test(key) && !exceptions.has(key);
}

/**
 * Throws if the code of the first load uses a message that comes with the list.
 * @param {string} code
 */
export function checkFirstMessages(code) {
  for (const [, key = ''] of code.matchAll(/["'`]((?:item|failure|warning|note|kept)\.[\w.]*)/g)) {
    if (!exceptions.has(key)) throw new Error(`the first load uses the message ${key}, which comes with the list`);
  }
}

/** @param {string} locale @returns {CompiledMessages} the messages that only the list shows */
export function listMessages(locale) {
  return compileMessages(pick(readMessages(locale), isListMessage));
}

/** @param {string} locale @returns {CompiledMessages} the messages of each page */
export function pageMessages(locale) {
  return compileMessages(pick(readMessages(locale), (key) => !isListMessage(key)));
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
