// What React alone does not hear of a field. Pages come as finished HTML, so people can type before anything listens; and
// what writes through the `value` property (extensions, some keyboards, test drivers) looks to React like its own doing.

import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

const NOTHING_TO_HEAR = () => () => {};

/** Whether the page listens; false in the HTML and until it has come to life. */
export function useLive(): boolean {
  return useSyncExternalStore(
    NOTHING_TO_HEAR,
    () => true,
    () => false,
  );
}

/** Looks at a field once it is there and after every `input` event, whoever caused it. */
export function useField<T extends Element>(look: (field: T) => void): RefObject<T | null> {
  const field = useRef<T>(null);
  const latest = useRef(look);
  useLayoutEffect(() => {
    latest.current = look;
  });
  // Before any event is handled: after the first one React puts its own value into the field.
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    const hear = () => latest.current(element);
    hear();
    element.addEventListener('input', hear);
    return () => element.removeEventListener('input', hear);
  }, []);
  return field;
}
