// The types of the page's messages. `locales/en.json` is the schema: code with a key that is missing there does not
// compile.

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import en from '../../locales/en.json';

export type MessageKey = keyof typeof en;
/** The messages as text. */
export type Messages = Readonly<Record<MessageKey, string>>;
/** The messages as parsed by the build, so that pages need no parser. The build checks that all keys exist. */
export type CompiledMessages = Readonly<Record<string, MessageFormatElement[]>>;

/** A file size. It is formatted in the visitor's language when the message is shown. */
export interface ByteCount {
  readonly bytes: number;
  readonly decimals: number;
}

/** The values of a message's placeholders. */
export type MessageValues = Readonly<Record<string, string | number | ByteCount>>;

/** A message in no particular language; state contains messages in this form. */
export interface Message {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

export const english: Messages = en;
