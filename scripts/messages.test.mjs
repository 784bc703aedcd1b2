// @ts-check
import { TYPE } from '@formatjs/icu-messageformat-parser';
import { createIntl } from 'react-intl';
import { describe, expect, test } from 'vitest';
import { LOCALE_NAMES } from '../web/site/locales.ts';
import { compileMessages, readMessages } from './messages.mjs';

/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element */
/** @typedef {string | number | ((chunks: unknown[]) => string)} Value */

const TEXT = 'some text';

/**
 * Collects the arguments of a message, with values that reach each of its branches.
 * @param {readonly Element[]} elements
 * @param {Map<string, Value[]>} needs
 */
function collect(elements, needs = new Map()) {
  for (const element of elements) {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        break;
      case TYPE.tag:
        needs.set(element.value, [(/** @type {unknown[]} */ chunks) => chunks.join('')]);
        collect(element.children, needs);
        break;
      case TYPE.plural:
        needs.set(element.value, [0, 1, 2, 5, 1000]);
        for (const { value } of Object.values(element.options)) collect(value, needs);
        break;
      case TYPE.select:
        needs.set(element.value, Object.keys(element.options));
        for (const { value } of Object.values(element.options)) collect(value, needs);
        break;
      case TYPE.number:
      case TYPE.date:
      case TYPE.time:
        needs.set(element.value, [0.25, 1234567]);
        break;
      default:
        if (!needs.has(element.value)) needs.set(element.value, [TEXT]);
    }
  }
  return needs;
}

/**
 * Formats a message with every value of every argument.
 * @param {import('react-intl').IntlShape} intl
 * @param {string} id
 * @param {Map<string, Value[]>} needs
 */
function everyForm(intl, id, needs) {
  const most = Math.max(1, ...[...needs.values()].map((values) => values.length));
  return Array.from({ length: most }, (_, i) => {
    const values = [...needs].map(([name, list]) => [name, list[i % list.length]]);
    const formatted = intl.formatMessage({ id }, Object.fromEntries(values));
    return [formatted].flat().join('');
  });
}

describe.each(LOCALE_NAMES)('%s', (locale) => {
  const messages = compileMessages(readMessages(locale));
  const intl = createIntl({
    locale,
    messages: { ...messages },
    onError: (error) => {
      throw error;
    },
  });

  test.each(Object.keys(messages))('every form of %s can be formatted', (id) => {
    const forms = everyForm(intl, id, collect(messages[id] ?? []));
    for (const form of forms) {
      expect(form.trim()).not.toBe('');
      expect(form).not.toMatch(/[{}<>]|undefined|NaN|\[object/);
    }
    expect(forms.join('')).not.toBe(id);
  });
});

test('a message that cannot be formatted throws', () => {
  const onError = (/** @type {unknown} */ error) => {
    throw error;
  };
  const intl = createIntl({ locale: 'en', messages: { broken: 'Saved {name}' }, onError });
  expect(() => everyForm(intl, 'broken', new Map())).toThrow('name');
});
