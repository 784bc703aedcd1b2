// Pages come as finished HTML: for a moment people see fields and buttons that nothing listens to yet.

import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';

const NOTHING_TO_HEAR = () => () => {};

/** Whether the page listens; false in the HTML and until it has come to life. */
export function useLive(): boolean {
  return useSyncExternalStore(
    NOTHING_TO_HEAR,
    () => true,
    () => false,
  );
}

/** Takes up what somebody did to a field before the page listened: React leaves it in the field and tells nobody. */
export function useEarlyInput<T extends Element>(takeUp: (field: T) => void): RefObject<T | null> {
  const field = useRef<T>(null);
  const latest = useRef(takeUp);
  useEffect(() => {
    if (field.current !== null) latest.current(field.current);
  }, []);
  return field;
}
