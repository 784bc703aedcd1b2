export {
  type CompiledMessages,
  english,
  type MessageKey,
  type Messages,
  type MessageValues,
  type Saying,
} from './messages.ts';
export { useWords, type Words, WordsProvider } from './words.tsx';
