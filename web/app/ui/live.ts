// Hooks for a page that is rendered as HTML first. Users can type before hydration, and some software (extensions,
// keyboards, test drivers) writes through the `value` property; React reports neither.

import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** Whether the page is hydrated; false in the HTML and in the first render. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

/** Calls `look` with the field after hydration and after every `input` event, whatever caused it. */
export function useField<T extends Element>(look: (field: T) => void): RefObject<T | null> {
  const field = useRef<T>(null);
  const latest = useRef(look);
  useLayoutEffect(() => {
    latest.current = look;
  });
  // Before any event is handled: at the first one React writes its own value into the field.
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
