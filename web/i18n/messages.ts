// The types of the page's messages. `locales/en.json` is the schema: a key that it lacks does not compile, and neither
// does a failure for which `web/app` has no key.

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import en from '../../locales/en.json';

export type MessageKey = keyof typeof en;
/** The messages as written. */
export type Messages = Readonly<Record<MessageKey, string>>;
/** The messages as parsed by the build, so that pages need no parser. The build checks that no key is missing. */
export type CompiledMessages = Readonly<Record<string, MessageFormatElement[]>>;

/** A file size, written in the visitor's language when the message is shown. */
export interface ByteCount {
  readonly bytes: number;
  readonly decimals: number;
}

/** The values of a message's placeholders. */
export type MessageValues = Readonly<Record<string, string | number | ByteCount>>;

/** A message without a language: state holds these. */
export interface Message {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

export const english: Messages = en;
