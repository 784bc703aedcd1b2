// The only import of react-intl: messages as plain text (labels, announcements) or with their bold parts (`<b>`).

import type { ReactNode } from 'react';
import { Fragment, useMemo } from 'react';
import { IntlProvider, useIntl } from 'react-intl';
import { formatBytes } from '../domain/bytes.ts';
import type { CompiledMessages, Message, MessageKey, Messages, MessageValues } from './messages.ts';

interface WordsProviderProps {
  readonly locale: string;
  readonly messages: Messages | CompiledMessages;
  readonly children: ReactNode;
}

export function WordsProvider({ locale, messages, children }: WordsProviderProps) {
  return (
    <IntlProvider locale={locale} defaultLocale="en" messages={messages}>
      {children}
    </IntlProvider>
  );
}

export interface Words {
  /** The message as plain text. */
  readonly t: (key: MessageKey, values?: MessageValues) => string;
  /** What the language writes between two sentences: a space or nothing. */
  readonly separator: string;
  /** Several messages as one text. */
  readonly say: (...messages: readonly Message[]) => string;
  /** The message with its bold parts. */
  readonly rich: (message: Message) => ReactNode;
  /** A file size with one decimal. */
  readonly size: (bytes: number) => string;
}

export function useWords(): Words {
  const intl = useIntl();
  return useMemo(() => {
    const sizeText = (bytes: number, decimals: number) =>
      formatBytes(bytes, decimals, intl.formatMessage({ id: 'unit.bytes' }));
    const texts = (values: MessageValues = {}) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'object' ? sizeText(value.bytes, value.decimals) : value,
        ]),
      );
    const t = (key: MessageKey, values?: MessageValues) =>
      intl.formatMessage({ id: key }, { ...texts(values), b: plain }).toString();
    const separator = t('sentence.joined', { first: '', second: '' });
    return {
      t,
      separator,
      say: (...messages) => messages.map(({ key, values }) => t(key, values)).join(separator),
      rich: ({ key, values }) => intl.formatMessage({ id: key }, { ...texts(values), b: bold }),
      size: (bytes) => sizeText(bytes, 1),
    };
  }, [intl]);
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

function plain(chunks: readonly ReactNode[]): string {
  return chunks.join('');
}

function bold(chunks: readonly ReactNode[]): ReactNode {
  return <strong key="b">{chunks}</strong>;
}
