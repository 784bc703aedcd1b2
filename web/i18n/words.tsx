// The messages in the visitor's language: as plain text (labels, announcements) or with their bold parts (`<b>`).

import { IntlMessageFormat } from 'intl-messageformat';
import { createContext, createElement, Fragment, type ReactNode, useContext, useMemo } from 'react';
import { formatBytes } from '../domain/bytes.ts';
import type { CompiledMessages, Message, MessageKey, Messages, MessageValues } from './messages.ts';

export interface Words {
  /** The message as plain text. */
  readonly t: (key: MessageKey, values?: MessageValues) => string;
  /** Several messages as one text. */
  readonly say: (...messages: readonly Message[]) => string;
  /** The message with its bold parts. */
  readonly rich: (message: Message) => ReactNode;
  /** A file size with one decimal. */
  readonly size: (bytes: number) => string;
  /** What the language writes between two sentences: a space or nothing. */
  readonly separator: string;
}

export function createWords(locale: string, messages: Messages | CompiledMessages): Words {
  const formats = new Map<MessageKey, IntlMessageFormat>();
  const formatOf = (key: MessageKey) => {
    const format = formats.get(key) ?? new IntlMessageFormat(messages[key] ?? key, locale);
    formats.set(key, format);
    return format;
  };
  const byteUnit = String(formatOf('unit.bytes').format());
  const texts = (values: MessageValues = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'object' ? formatBytes(value.bytes, value.decimals, byteUnit) : value,
      ]),
    );
  const t = (key: MessageKey, values?: MessageValues) =>
    String(formatOf(key).format<string>({ ...texts(values), b: (chunks) => chunks.join('') }));
  const separator = t('sentence.joined', { first: '', second: '' });
  return {
    t,
    say: (...all) => all.map(({ key, values }) => t(key, values)).join(separator),
    rich: ({ key, values }) => asNodes(formatOf(key).format<ReactNode>({ ...texts(values), b: bold })),
    size: (bytes) => formatBytes(bytes, 1, byteUnit),
    separator,
  };
}

function bold(chunks: readonly ReactNode[]): ReactNode {
  return createElement('strong', null, ...chunks);
}

/** As children of one element, the parts need no keys. */
function asNodes(parts: ReactNode | ReactNode[]): ReactNode {
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts;
}

const WordsContext = createContext<Words | null>(null);

interface WordsProviderProps {
  readonly locale: string;
  readonly messages: Messages | CompiledMessages;
  readonly children: ReactNode;
}

export function WordsProvider({ locale, messages, children }: WordsProviderProps) {
  const words = useMemo(() => createWords(locale, messages), [locale, messages]);
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === null) throw new Error('useWords needs a WordsProvider');
  return words;
}

/** Several messages, one after the other, with their bold parts. */
export function Sentences({ messages }: { readonly messages: readonly Message[] }) {
  const { separator, rich } = useWords();
  return messages.map((message, i) => (
    <Fragment key={message.key}>
      {i === 0 ? null : separator}
      {rich(message)}
    </Fragment>
  ));
}
