// The words of the page. `locales/en.json` is the schema: a key that is not in it does not compile, and neither does a
// failure for which `web/app` has no key.

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import en from '../../locales/en.json';

export type MessageKey = keyof typeof en;
/** As written. */
export type Messages = Readonly<Record<MessageKey, string>>;
/** As the build has parsed them, so that pages need no parser. The build checks that no key is missing. */
export type CompiledMessages = Readonly<Record<string, MessageFormatElement[]>>;

/** What stands in the braces of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** A message that is not words yet: stores hold these, so that they never know a language. */
export interface Message {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

export const english: Messages = en;
