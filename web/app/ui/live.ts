// Hooks for a page that is first rendered as HTML. Users can type before hydration, and some software (extensions,
// keyboards, test drivers) sets the `value` property; React reports neither.

import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** Returns whether the page is hydrated; false in the HTML and in the first render. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

/** Calls `look` with the field after hydration and after every `input` event. */
export function useField<T extends Element>(look: (field: T) => void): RefObject<T | null> {
  const field = useRef<T>(null);
  const latest = useRef(look);
  useLayoutEffect(() => {
    latest.current = look;
  });
  // A layout effect runs before any event is handled: at the first event React writes its own value into the field.
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    const handle = () => latest.current(element);
    handle();
    element.addEventListener('input', handle);
    return () => element.removeEventListener('input', handle);
  }, []);
  return field;
}
