// The only door to react-intl: words as a string (labels, announcements) or with the bold parts bold (`<b>` in a message).

import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { IntlProvider, useIntl } from 'react-intl';
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
  readonly say: (message: Message) => string;
  /** The message with its bold parts. */
  readonly rich: (message: Message) => ReactNode;
}

export function useWords(): Words {
  const intl = useIntl();
  return useMemo(() => {
    const t = (key: MessageKey, values?: MessageValues) =>
      intl.formatMessage({ id: key }, { ...values, b: plain }).toString();
    return {
      t,
      say: ({ key, values }) => t(key, values),
      rich: ({ key, values }) => intl.formatMessage({ id: key }, { ...values, b: bold }),
    };
  }, [intl]);
}

function plain(chunks: readonly ReactNode[]): string {
  return chunks.join('');
}

function bold(chunks: readonly ReactNode[]): ReactNode {
  return <strong key="b">{chunks}</strong>;
}
