import { expect, test } from 'vitest';
import type { FileToSave } from '../save/index.ts';
import type { Item } from '../state/item.ts';
import { hasWidths, srcsetHtml } from './srcset.ts';

/** Makes the files of an item with these results, each of a width and a frame. */
function filesOf(...results: readonly (readonly [path: string, width: number, frame: number])[]): FileToSave[] {
  const outputs = results.map(([, width, frame]) => ({ width, height: width / 2, frame }));
  const item = { phase: { phase: 'done', outputs } } as unknown as Item;
  return results.map(([path], part) => ({
    path,
    blob: new Blob(),
    crc32: null,
    modified: new Date(0),
    item,
    part,
  }));
}

test('an image in several widths becomes an element with all of them; others become nothing', () => {
  const hill = filesOf(['trip/a hill, wide.jpg', 960, 0], ['trip/a hill.jpg', 480, 0]);
  const single = filesOf(['b.jpg', 480, 0]);
  const pages = filesOf(['p1.png', 100, 0], ['p2.png', 100, 1]);
  expect(srcsetHtml([...hill, ...single, ...pages])).toBe(
    '<img src="trip/a%20hill%2C%20wide.jpg" ' +
      'srcset="trip/a%20hill%2C%20wide.jpg 960w, trip/a%20hill.jpg 480w" ' +
      'sizes="100vw" width="960" height="480" alt="">',
  );
  expect([hill, single, pages].map(([file]) => file !== undefined && hasWidths(file.item))).toEqual([
    true,
    false,
    false,
  ]);
});
