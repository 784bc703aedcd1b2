// The messages in the visitor's language, as plain text (labels, announcements) or with their bold parts (`<b>`). Only
// this module imports react-intl.

import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react';
import { createIntl } from 'react-intl';
import { formatBytes } from '../domain/bytes.ts';
import type { CompiledMessages, Message, MessageKey, Messages, MessageValues } from './messages.ts';

export interface Words {
  /** Returns a message as plain text. */
  readonly t: (key: MessageKey, values?: MessageValues) => string;
  /** Returns several messages as one text. */
  readonly joined: (...messages: readonly Message[]) => string;
  /** Returns a message with its bold parts. */
  readonly rich: (message: Message) => ReactNode;
  /** Returns a file size with one decimal. */
  readonly size: (bytes: number) => string;
  /** The separator between two sentences in this language: a space or nothing. */
  readonly separator: string;
}

export function createWords(locale: string, messages: Messages | CompiledMessages): Words {
  const intl = createIntl({ locale, messages: { ...messages } });
  const byteUnit = intl.formatMessage({ id: 'unit.bytes' });
  const texts = (values: MessageValues = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'object' ? formatBytes(value.bytes, value.decimals, byteUnit) : value,
      ]),
    );
  const t = (key: MessageKey, values?: MessageValues) =>
    intl.formatMessage({ id: key }, { ...texts(values), b: plain }).toString();
  const separator = t('sentence.joined', { first: '', second: '' });
  return {
    t,
    joined: (...all) => all.map(({ key, values }) => t(key, values)).join(separator),
    rich: ({ key, values }) => intl.formatMessage({ id: key }, { ...texts(values), b: bold }),
    size: (bytes) => formatBytes(bytes, 1, byteUnit),
    separator,
  };
}

function plain(chunks: readonly ReactNode[]): string {
  return chunks.join('');
}

function bold(chunks: readonly ReactNode[]): ReactNode {
  return <strong key="b">{chunks}</strong>;
}

interface Language {
  readonly locale: string;
  readonly messages: Messages | CompiledMessages;
  readonly words: Words;
}

const LanguageContext = createContext<Language | null>(null);

interface WordsProviderProps {
  readonly locale: string;
  readonly messages: Messages | CompiledMessages;
  readonly children: ReactNode;
}

export function WordsProvider({ locale, messages, children }: WordsProviderProps) {
  const language = useMemo(() => ({ locale, messages, words: createWords(locale, messages) }), [locale, messages]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

interface MoreMessagesProps {
  /** The additional messages by language. */
  readonly of: Readonly<Record<string, CompiledMessages>>;
  readonly children: ReactNode;
}

/** Adds messages that come with a chunk. */
export function MoreMessages({ of, children }: MoreMessagesProps) {
  const { locale, messages } = useLanguage();
  const all = useMemo(() => ({ ...messages, ...of[locale] }) as CompiledMessages, [locale, messages, of]);
  return (
    <WordsProvider locale={locale} messages={all}>
      {children}
    </WordsProvider>
  );
}

export function useWords(): Words {
  return useLanguage().words;
}

function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error('useWords needs a WordsProvider');
  return language;
}

/** Renders several messages, one after another, with their bold parts. */
export function Sentences({ messages }: { readonly messages: readonly Message[] }) {
  const { separator, rich } = useWords();
  return messages.map((message, i) => (
    <Fragment key={message.key}>
      {i === 0 ? null : separator}
      {rich(message)}
    </Fragment>
  ));
}
