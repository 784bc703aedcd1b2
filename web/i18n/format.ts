// Formats compiled messages. `createIntl` of react-intl and the class of intl-messageformat first ask which languages the
// browser supports: for the answer, Chromium reads the data of all languages, which takes 14 ms in each visit.

import { type Formats, type Formatters, formatToParts } from 'intl-messageformat';
import type { ReactNode } from 'react';
import type { CompiledMessages } from './messages.ts';

/** The values of placeholders, and the functions of tags. */
export type FormatValues = Readonly<Record<string, string | number | ((chunks: readonly ReactNode[]) => ReactNode)>>;

/** The styles of numbers that messages name, such as `{share, number, percent}`. */
const FORMATS: Formats = { number: { percent: { style: 'percent' } }, date: {}, time: {} };

/** Returns a function that formats the messages of a language into texts and nodes, one after another. */
export function formatterOf(locale: string, messages: CompiledMessages) {
  const formatters = formattersOf(locale);
  return (key: string, values: FormatValues = {}): readonly ReactNode[] => {
    const elements = messages[key];
    // The key tells more than an empty place, for example after an update brought the messages of another build.
    if (elements === undefined) return [key];
    return formatToParts<ReactNode>(elements, locale, formatters, FORMATS, values).map(({ value }) => value);
  };
}

const formattersOf = once((locale: string): Formatters => {
  const number = once((options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
  const plural = once((type?: Intl.PluralRuleType) => new Intl.PluralRules(locale, type && { type }));
  return {
    getNumberFormat: (_, options) => number(options),
    getPluralRules: (_, options) => plural(options?.type),
    getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(locale, options),
  };
});

/** Makes the result for each argument once. */
function once<In, Out>(make: (of: In) => Out): (of: In) => Out {
  const made = new Map<In, Out>();
  return (of) => {
    const known = made.get(of) ?? make(of);
    made.set(of, known);
    return known;
  };
}
