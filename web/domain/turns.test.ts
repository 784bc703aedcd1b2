// Turns after each other, compared with turning the corners of an image.
import { expect, test } from 'vitest';
import { TURNS, turnedSize, turnThen } from './turns.ts';

/** The corners of an image after each turn, from the left top clockwise, by EXIF's table. */
const CORNERS = ['abcd', 'badc', 'cdab', 'dcba', 'adcb', 'dabc', 'cbad', 'bcda'];

/** Turns the corners: letters stand at the places of the letters of the untouched image. */
function turned(corners: string, turn: number): string {
  return [...(CORNERS[turn - 1] ?? '')].map((letter) => corners['abcd'.indexOf(letter)]).join('');
}

test('two turns after each other are one', () => {
  for (const first of TURNS) {
    for (const next of TURNS) {
      const both = turnThen(first, next);
      expect(turned('abcd', both), `${first} then ${next}`).toBe(turned(turned('abcd', first), next));
      const size = { width: 3, height: 2 };
      expect(turnedSize(size, both)).toEqual(turnedSize(turnedSize(size, first), next));
    }
  }
});
