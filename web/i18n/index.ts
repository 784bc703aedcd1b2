export {
  type CompiledMessages,
  english,
  type Message,
  type MessageKey,
  type Messages,
  type MessageValues,
} from './messages.ts';
export { createWords, MoreMessages, Sentences, useWords, type Words, WordsProvider } from './words.tsx';
