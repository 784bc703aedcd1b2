import { useEffect, useState } from 'react';

/** The rows that are made or removed in one task. */
const GROUP = 40;

/**
 * Returns the rows to show for a list: its beginning, which grows until it is the whole list, or, after the list has been
 * emptied, the beginning of the last one, which shrinks. A thousand rows in one task are too many.
 */
export function useGradually<T>(all: readonly T[]): readonly T[] {
  const [limit, setLimit] = useState(GROUP);
  const [last, setLast] = useState(all);
  if (all.length > 0 && all !== last) setLast(all);
  const rows = all.length > 0 ? all : last;
  // The limit may exceed the length by a group, so that a few rows are restored at once.
  const next = all.length > 0 ? Math.min(limit + GROUP, all.length + GROUP) : Math.min(limit, last.length) - GROUP;
  const isDone = all.length > 0 ? limit >= all.length && limit <= all.length + GROUP : limit === 0;
  useEffect(() => {
    if (isDone) return;
    const timer = setTimeout(() => setLimit(Math.max(next, 0)));
    return () => clearTimeout(timer);
  }, [isDone, next]);
  return rows.length > limit ? rows.slice(0, limit) : rows;
}
