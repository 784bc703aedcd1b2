// The messages that come with later chunks, by language: none until the first of these chunks has loaded.

import type { CompiledMessages } from '../../i18n/messages.ts';
import { Signal } from './signal.ts';

export const moreMessages = new Signal<Readonly<Record<string, CompiledMessages>>>({});
