// The messages that only the list shows, by language. The plugin in vite.config.ts makes this module.
declare module 'virtual:list-messages' {
  import type { CompiledMessages } from './messages.ts';

  export const LIST_MESSAGES: Readonly<Record<string, CompiledMessages>>;
}
