// Makes a section of the page a modal sheet, and the page again. The section stays where it is in the document, so the
// fields in it keep their values, their state and their scroll position.

type End = () => void;

/** What stays usable beside the sheet: announcements and toasts. */
const STAYS = '[role="status"], [role="alert"], [data-toasts]';

/** The size field that the settings use, or else the first field. */
const FIRST_FIELDS = ['[data-in-use="true"] input', 'input'];

/** Shows the section as a sheet with this class, until the returned function is called. `close` must call it. */
export function openSheet(section: HTMLElement, className: string | undefined, close: () => void): End {
  const ends = [
    keepHeight(section.parentElement),
    disableRest(section),
    addLooks(section, className ?? ''),
    followKeyboard(section),
    closeOnEscape(close),
    closeOnBack(close),
  ];
  focusFirstField(section);
  return () => {
    for (const end of ends) end();
  };
}

function addLooks(section: HTMLElement, className: string): End {
  section.classList.add(className);
  section.setAttribute('role', 'dialog');
  return () => {
    section.classList.remove(className);
    section.removeAttribute('role');
  };
}

/** Keeps the height of the page, and so its scroll position, while the section is not in the flow. */
function keepHeight(parent: HTMLElement | null): End {
  parent?.style.setProperty('min-block-size', `${parent.offsetHeight}px`);
  return () => parent?.style.removeProperty('min-block-size');
}

/** Makes everything but the section inert. */
function disableRest(section: HTMLElement): End {
  const disabled: Element[] = [];
  for (let inside: Element = section; inside.parentElement !== null; inside = inside.parentElement) {
    const siblings = [...inside.parentElement.children].filter((element) => element !== inside);
    disabled.push(...siblings.filter((element) => !element.matches(STAYS) && !element.hasAttribute('inert')));
    if (inside.parentElement === document.body) break;
  }
  for (const element of disabled) element.toggleAttribute('inert', true);
  return () => {
    for (const element of disabled) element.removeAttribute('inert');
  };
}

/**
 * Keeps the sheet above the on-screen keyboard, which covers the lower part of the page on phones, and the focused field
 * visible.
 */
function followKeyboard(section: HTMLElement): End {
  const viewport = window.visualViewport;
  const place = () => {
    section.style.setProperty('--covered', `${viewport === null ? 0 : heightBelow(viewport)}px`);
    const { activeElement } = document;
    if (activeElement?.closest('[data-settings]') != null) activeElement.scrollIntoView({ block: 'nearest' });
  };
  place();
  viewport?.addEventListener('resize', place);
  viewport?.addEventListener('scroll', place);
  return () => {
    viewport?.removeEventListener('resize', place);
    viewport?.removeEventListener('scroll', place);
    section.style.removeProperty('--covered');
  };
}

/** Returns the height of the page below the visible part. A zoomed page shows a part of itself, but nothing covers it. */
function heightBelow({ scale, height, offsetTop }: VisualViewport): number {
  if (scale > 1) return 0;
  return Math.max(0, Math.round(document.documentElement.clientHeight - height - offsetTop));
}

function closeOnEscape(close: () => void): End {
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}

/**
 * Closes the sheet with the browser's Back, as on Android: the open sheet is an entry of the history. The navigation of
 * the site does not see that entry go.
 */
function closeOnBack(close: () => void): End {
  history.pushState({ ...history.state, sheet: true }, '');
  let isOpen = true;
  const leave = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    window.removeEventListener('popstate', leave, { capture: true });
    if (!isOpen) return;
    isOpen = false;
    close();
  };
  window.addEventListener('popstate', leave, { capture: true });
  return () => {
    if (isOpen) history.back();
    isOpen = false;
  };
}

function focusFirstField(section: HTMLElement): void {
  const fields = FIRST_FIELDS.map((selector) => section.querySelector<HTMLInputElement>(selector));
  const field = fields.find((found) => found !== null);
  section.scrollTop = 0;
  field?.focus({ preventScroll: true });
  // The number is replaced by what is typed.
  field?.select();
}

/** Gives the focus back to the button that opened the sheet, unless it is on another button of the bar. */
export function returnFocus(section: HTMLElement): void {
  const { activeElement } = document;
  if (activeElement?.closest('[data-bar]') != null) return;
  section.querySelector<HTMLElement>('[data-summary]')?.focus({ preventScroll: true });
}
