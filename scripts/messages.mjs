// @ts-check
// Compiles locales/<locale>.json: the page formats syntax trees, so it needs no parser.
import fs from 'node:fs';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { root } from './toolchain.mjs';

/** @typedef {import('../web/i18n/messages.ts').CompiledMessages} CompiledMessages */

/** @param {string} locale @returns {Record<string, string>} */
export function readMessages(locale) {
  return JSON.parse(fs.readFileSync(path.join(root, 'locales', `${locale}.json`), 'utf8'));
}

/** @param {Record<string, string>} messages @returns {CompiledMessages} */
export function compileMessages(messages) {
  const compiled = Object.entries(messages).map(([key, text]) => [key, parse(text, { captureLocation: false })]);
  return Object.fromEntries(compiled);
}
