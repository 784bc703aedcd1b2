// Files that were added more than once.

import type { Item, ItemId } from './item.ts';

/**
 * Returns the items whose file has been added before. Files with the same name, size and time of change are taken for
 * the same file, in whatever folder they are.
 */
export function copiesIn(items: Iterable<Pick<Item, 'id' | 'file'>>): ReadonlySet<ItemId> {
  const known = new Set<string>();
  const copies = new Set<ItemId>();
  for (const { id, file } of items) {
    const key = `${file.size} ${file.lastModified} ${file.name}`;
    if (known.has(key)) copies.add(id);
    known.add(key);
  }
  return copies;
}
