// The messages that the first load does not need, by language. The plugin in vite.config.ts makes this module.
declare module 'virtual:later-messages' {
  import type { CompiledMessages } from './messages.ts';

  export const LATER_MESSAGES: Readonly<Record<string, CompiledMessages>>;
}
