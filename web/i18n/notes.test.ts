import { expect, it } from 'vitest';
import notes from '../../locales/notes.json';
import { english } from './messages.ts';

it('every message has a note for translators, and every note has a message', () => {
  expect(Object.keys(notes).sort()).toEqual(Object.keys(english).sort());
});

it('no note is empty', () => {
  for (const [key, note] of Object.entries(notes)) expect(note.trim(), key).not.toBe('');
});
