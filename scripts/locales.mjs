// @ts-check
// Checks the messages of the page against the schema locales/en.json. Errors are: a missing or additional key in
// another language, different placeholders or tags, and a key that no source file uses.
import fs from 'node:fs';
import path from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { isMain } from './main.mjs';
import { root } from './toolchain.mjs';

/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element */
/** @typedef {Record<string, string>} Messages */

/** @param {Element[]} elements @returns {string[]} the placeholders and tags of the message: `{name}`, `<b>` */
function needs(elements) {
  return elements.flatMap((element) => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return [];
      case TYPE.plural:
      case TYPE.select:
        return [`{${element.value}}`, ...Object.values(element.options).flatMap(({ value }) => needs(value))];
      case TYPE.tag:
        return [`<${element.value}>`, ...needs(element.children)];
      default:
        return [`{${element.value}}`];
    }
  });
}

/** @param {string} message */
const needsOf = (message) => [...new Set(needs(parse(message)))].sort().join(' ');

/**
 * @param {Messages} schema
 * @param {Messages} messages of another language
 * @returns {string[]} the problems
 */
export function compareMessages(schema, messages) {
  const missing = Object.keys(schema).filter((key) => !(key in messages));
  const extra = Object.keys(messages).filter((key) => !(key in schema));
  const different = Object.keys(schema).filter((key) => {
    const [own, other] = [schema[key], messages[key]];
    return own !== undefined && other !== undefined && needsOf(own) !== needsOf(other);
  });
  return [
    ...missing.map((key) => `${key} is missing`),
    ...extra.map((key) => `${key} is not in en.json`),
    ...different.map((key) => `${key} has ${needsOf(messages[key] ?? '')}, in English ${needsOf(schema[key] ?? '')}`),
  ];
}

/**
 * @param {string[]} keys
 * @param {string[]} sources texts of source files
 * @returns {string[]} the keys that no source contains
 */
export function unusedKeys(keys, sources) {
  const quoted = new Set(sources.flatMap((source) => source.match(/(?<=['"`])[a-z]\w*(\.\w+)+(?=['"`])/gi) ?? []));
  // A template such as `item.${phase}`: TypeScript checks the values; here any word matches.
  const made = sources.flatMap((source) => source.match(/(?<=`)[a-z][\w.]*\.\$\{[^}`]+\}(?=`)/gi) ?? []);
  // A row `kernel: choice(…)` in web/domain/settings.ts uses `kernel.label` and a text for each value.
  made.push(...sources.flatMap((source) => source.match(/\b\w+(?=: choice\b)/g) ?? []).map((name) => `${name}.\${}`));
  const patterns = made.map((text) => new RegExp(`^${text.replace(/\$\{.*\}/, '').replaceAll('.', '\\.')}[\\w-]+$`));
  return keys.filter((key) => !quoted.has(key) && !patterns.some((pattern) => pattern.test(key)));
}

/**
 * Converts English to a pseudo-locale with longer words and marks on letters, which reveals clipped texts and texts
 * that are not messages.
 * @param {string} message
 * @returns {string}
 */
export function pseudo(message) {
  /** @type {Record<string, string>} */
  const marked = {
    a: 'á',
    e: 'é',
    i: 'í',
    o: 'ö',
    u: 'ü',
    c: 'ç',
    n: 'ñ',
    y: 'ÿ',
    A: 'Å',
    E: 'É',
    I: 'Î',
    O: 'Ö',
    U: 'Ü',
  };
  /** @param {Element[]} elements @returns {Element[]} */
  const change = (elements) =>
    elements.map((element) => {
      if (element.type === TYPE.literal) {
        const text = element.value.replace(/[a-z]/gi, (letter) => marked[letter] ?? letter);
        // Each word grows by 40 %: "Save" is "Speichern" in German.
        return {
          ...element,
          value: text.replace(/\p{L}{3,}/gu, (word) => word + word.slice(-Math.ceil(word.length * 0.4))),
        };
      }
      if (element.type === TYPE.tag) return { ...element, children: change(element.children) };
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        const options = Object.entries(element.options).map(([name, { value }]) => [name, { value: change(value) }]);
        return { ...element, options: Object.fromEntries(options) };
      }
      return element;
    });
  return JSON.stringify(change(parse(message, { captureLocation: false })));
}

/** @param {string} folder @returns {string[]} */
function sourcesBelow(folder) {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

if (isMain(import.meta)) {
  const folder = path.join(root, 'locales');
  /** @param {string} name @returns {Messages} */
  const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  const schema = read('en');
  const others = fs
    .readdirSync(folder)
    .map((file) => path.basename(file, '.json'))
    .filter((name) => name !== 'en' && name !== 'notes');
  const problems = [
    ...unusedKeys(Object.keys(schema), sourcesBelow(path.join(root, 'web'))).map(
      (key) => `en.json: ${key} is not used`,
    ),
    ...others.flatMap((name) => compareMessages(schema, read(name)).map((problem) => `${name}.json: ${problem}`)),
  ];
  for (const problem of problems) console.error(problem);
  console.log(
    `locales: ${Object.keys(schema).length} messages, ${others.length + 1} languages, ${problems.length} problems`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
