// @ts-check
import { describe, expect, test } from 'vitest';
import { parseMarkdown, readFaq, readPolicy, withFacts } from './content.mjs';

describe('parsing Markdown to a tree', () => {
  test.each([
    [
      'a *b* **c**',
      [{ tag: 'p', children: ['a ', { tag: 'em', children: ['b'] }, ' ', { tag: 'strong', children: ['c'] }] }],
    ],
    ['## Title', [{ tag: 'h2', children: ['Title'] }]],
    [
      '1. one\n2. two',
      [
        {
          tag: 'ol',
          children: [
            { tag: 'li', children: ['one'] },
            { tag: 'li', children: ['two'] },
          ],
        },
      ],
    ],
    ['[x](/y/)', [{ tag: 'p', children: [{ tag: 'a', href: '/y/', children: ['x'] }] }]],
    ['`a & b`', [{ tag: 'p', children: [{ tag: 'code', children: ['a & b'] }] }]],
    ["```\ndefault-src 'none'\n```", [{ tag: 'pre', children: [{ tag: 'code', children: ["default-src 'none'"] }] }]],
    ["it's 1 < 2 & 3", [{ tag: 'p', children: ["it's 1 < 2 & 3"] }]],
  ])('%s', (markdown, tree) => {
    expect(parseMarkdown(markdown)).toEqual(tree);
  });

  test.each(['<b>x</b>', 'a <script>x</script>', '![x](y.png)', '| a |\n| - |\n| b |', '> quoted'])(
    'unsupported Markdown stops the build: %s',
    (markdown) => {
      expect(() => parseMarkdown(markdown)).toThrow('may not use');
    },
  );
});

describe('facts', () => {
  const text = '<!-- if host -->\nby {host}\n<!-- end -->\n<!-- unless host -->\nno host\n<!-- end -->\n';
  test('a conditional part is kept if its condition is true', () => {
    expect(withFacts(text, { host: 'A' })).toBe('by A\n');
    expect(withFacts(text, { host: null })).toBe('no host\n');
  });
  test('an unknown fact stops the build', () => {
    expect(() => withFacts('{nothing}', {})).toThrow('nothing');
  });
});

describe.each(['en', 'zh-CN', 'zh-TW'])('texts in %s', (locale) => {
  test.each(['built-in', null])('the FAQ has the questions of the English one, each with an answer (%s)', (heic) => {
    const questions = readFaq(locale, { heic });
    expect(questions).toHaveLength(readFaq('en', { heic }).length);
    for (const { question, answer } of questions) {
      expect(question).toMatch(/[?？]$/);
      expect(answer.length).toBeGreaterThan(0);
    }
  });

  test('the policy has the same parts as in English, with all facts and with none', () => {
    const none = {
      ...{ operator: null, contact: null, host: null, logDays: null, heic: null },
      ...{ analytics: null, analyticsId: null },
    };
    const all = {
      ...{ operator: 'O', contact: 'c@d.example', host: 'H', logDays: '7', heic: 'built-in' },
      ...{ analytics: 'A', analyticsId: 'A' },
    };
    const policy = { policy: "default-src 'none'", workerPolicy: "connect-src 'none'" };
    for (const facts of [none, all]) {
      const own = readPolicy(locale, { ...facts, ...policy });
      const english = readPolicy('en', { ...facts, ...policy });
      const tags = (/** @type {typeof own} */ { body }) =>
        body.map((node) => (typeof node === 'string' ? '' : node.tag));
      expect(tags(own)).toEqual(tags(english));
      expect(own.updated).toBe(english.updated);
    }
  });
});
