// Compiles messages for tests, as scripts/messages.mjs does for pages.

import { parse } from '@formatjs/icu-messageformat-parser';
import type { CompiledMessages, Messages } from '../messages.ts';

export function compile(messages: Messages): CompiledMessages {
  return Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, parse(text)]));
}
