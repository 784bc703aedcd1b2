import { useEffect, useState } from 'react';

/** The rows that are made in one task. */
const GROUP = 40;

/** Returns the beginning of a list, which grows until it is the whole list: a thousand rows in one task are too many. */
export function useGradually<T>(all: readonly T[]): readonly T[] {
  const [limit, setLimit] = useState(GROUP);
  const { length } = all;
  useEffect(() => {
    // The limit may exceed the length by a group, so that a few rows are restored at once.
    if (length <= limit && limit <= length + GROUP) return;
    const timer = setTimeout(() => setLimit(length > limit ? limit + GROUP : length + GROUP));
    return () => clearTimeout(timer);
  }, [length, limit]);
  return length > limit ? all.slice(0, limit) : all;
}
