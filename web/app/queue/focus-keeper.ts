// Keeps the focus in the page. When the focused element is removed, browsers give the focus to `body`, and keyboard and
// screen reader users start again at the top. Then the nearest button that is left gets the focus.

import { focusAddButton } from './focus.ts';

const FOCUSABLE = 'button:not([disabled]), a[href], input:not([disabled], [tabindex="-1"]), select, summary';

/** The number of elements that had the focus before and are remembered. */
const REMEMBERED = 4;

/** Keeps the focus until the returned function is called. */
export function keepFocus(): () => void {
  /** The ancestors of the focused element, the element itself first. */
  let path: readonly Element[] = [];
  let earlier: readonly Element[] = [];
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target === document.body) return;
    path = ancestorsOf(target);
    earlier = [target, ...earlier.filter((element) => element !== target)].slice(0, REMEMBERED);
  };
  const forget = ({ target, relatedTarget }: FocusEvent) => {
    // The blur of an element that stays is a click beside all buttons, or another window.
    const wasLeft = () => target instanceof Element && target.isConnected && relatedTarget === null;
    queueMicrotask(() => {
      if (wasLeft() && document.hasFocus()) path = [];
    });
  };
  const restore = () => {
    const [lost] = path;
    if (lost === undefined || lost.isConnected || document.activeElement !== document.body) return;
    const next = nearestTo(path) ?? earlier.find((element) => element.isConnected);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    else focusAddButton();
  };
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', forget);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', forget);
  };
}

function ancestorsOf(element: Element): Element[] {
  const found = [];
  for (let one: Element | null = element; one !== null; one = one.parentElement) found.push(one);
  return found;
}

/**
 * Returns the first focusable element of the nearest ancestor that is left; of its ancestors, too, within its section.
 */
function nearestTo(path: readonly Element[]): Element | undefined {
  const nearest = path.find((element) => element.isConnected);
  const section = nearest?.closest('section, dialog') ?? nearest;
  for (let one = nearest ?? null; one !== null; one = one === section ? null : one.parentElement) {
    const found = [...one.querySelectorAll(FOCUSABLE)].find((element) => element.checkVisibility());
    if (found !== undefined) return found;
  }
  return undefined;
}
