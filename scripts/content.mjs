// @ts-check
// content/<locale>/*.md → trees of elements (web/site/content.ts). Markdown without an equivalent in the tree stops the
// build, so nothing is lost silently and no HTML gets through.
import fs from 'node:fs';
import path from 'node:path';
import { marked } from 'marked';
import { root } from './toolchain.mjs';

/** @typedef {import('../web/site/content.ts').Node} Node */
/** @typedef {import('../web/site/content.ts').Question} Question */
/** @typedef {import('../web/site/content.ts').PolicyText} PolicyText */
/** @typedef {import('marked').Token} Token */
/** @typedef {Record<string, string | null>} Facts the values of `{name}`; null if the deployment has no value */

/**
 * Keeps the parts between `<!-- if fact -->` or `<!-- unless fact -->` and `<!-- end -->` whose condition is true.
 * @param {string} text
 * @param {Facts} facts
 * @returns {string}
 */
export function withFacts(text, facts) {
  /** @param {string} name */
  const fact = (name) => {
    const value = facts[name];
    if (value === undefined) throw new Error(`a text contains {${name}}, which is no known fact`);
    return value;
  };
  return text
    .replace(/<!-- (if|unless) (\w+) -->\n([\s\S]*?)<!-- end -->\n?/g, (_, word, name, part) =>
      (fact(name) !== null) === (word === 'if') ? part : '',
    )
    .replace(/\{(\w+)\}/g, (_, name) => fact(name) ?? '');
}

/** @param {Token[] | undefined} tokens @returns {Node[]} */
function nodesOf(tokens) {
  return (tokens ?? []).flatMap(nodeOf);
}

/** @type {Record<string, 'strong' | 'em' | 'p'>} */
const plainTags = { strong: 'strong', em: 'em', paragraph: 'p' };

/** @param {Token} token @returns {Node[]} */
function nodeOf(token) {
  switch (token.type) {
    case 'space':
      return [];
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? nodesOf(token.tokens) : [unescaped(token.text)];
    case 'escape':
      return [token.text];
    case 'paragraph':
    case 'strong':
    case 'em':
      return [{ tag: plainTags[token.type] ?? 'p', children: nodesOf(token.tokens) }];
    case 'codespan':
      return [{ tag: 'code', children: [unescaped(token.text)] }];
    case 'code':
      return [{ tag: 'pre', children: [{ tag: 'code', children: [token.text] }] }];
    case 'link':
      return [{ tag: 'a', href: token.href, children: nodesOf(token.tokens) }];
    case 'heading':
      return [{ tag: token.depth === 2 ? 'h2' : 'h3', children: nodesOf(token.tokens) }];
    case 'list':
      return [{ tag: token.ordered ? 'ol' : 'ul', children: nodesOf(token.items) }];
    case 'list_item':
      return [{ tag: 'li', children: nodesOf(token.tokens) }];
    default:
      throw new Error(`Markdown that the texts may not use: ${token.type}: ${token.raw}`);
  }
}

/** @param {string} text text in which the lexer has escaped HTML characters */
function unescaped(text) {
  /** @type {Record<string, string>} */
  const marks = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (mark) => marks[mark] ?? mark);
}

/** @param {string} markdown @returns {Node[]} */
export function parseMarkdown(markdown) {
  return nodesOf(marked.lexer(markdown));
}

/** @param {string} locale @param {string} name @param {Facts} facts */
function read(locale, name, facts) {
  return withFacts(fs.readFileSync(path.join(root, 'content', locale, `${name}.md`), 'utf8'), facts);
}

/** @param {string} locale @param {Facts} facts @returns {Question[]} the questions: the headings of level 2 */
export function readFaq(locale, facts) {
  return read(locale, 'faq', facts)
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [question = '', ...answer] = part.split('\n');
      return { question: question.trim(), answer: parseMarkdown(answer.join('\n')) };
    });
}

/** @param {string} locale @param {string} name @returns {Node[]} */
export function readText(locale, name) {
  return parseMarkdown(read(locale, name, {}));
}

/** @param {string} locale @param {Facts} facts @returns {PolicyText} */
export function readPolicy(locale, facts) {
  const text = read(locale, 'privacy-policy', facts);
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  /** @param {string} key */
  const field = (key) => {
    const value = new RegExp(`^${key}: (.+)$`, 'm').exec(front)?.[1];
    if (value === undefined) throw new Error(`content/${locale}/privacy-policy.md has no ${key}`);
    return value;
  };
  const updated = field('updated');
  const updatedText = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(updated));
  return { title: field('title'), updated, updatedText, body: parseMarkdown(body) };
}
