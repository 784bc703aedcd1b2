import { expect, it } from 'vitest';
import { copiesIn } from './copies.ts';

const file = (name: string, bytes: number, lastModified: number) =>
  new File([new Uint8Array(bytes)], name, { lastModified });

it('finds the files with the name, size and date of an earlier one', () => {
  const files = [
    file('a.jpg', 10, 1),
    file('a.jpg', 11, 1),
    file('a.jpg', 10, 2),
    file('b.jpg', 10, 1),
    file('a.jpg', 10, 1),
    file('a.jpg', 10, 1),
  ];
  expect([...copiesIn(files.map((one, i) => ({ id: i, file: one })))]).toEqual([4, 5]);
});
