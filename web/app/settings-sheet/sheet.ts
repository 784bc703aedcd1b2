// The settings as a sheet over the list, above the bar at the bottom of a small screen. The sheet is the element of the
// settings itself at another place, so that its fields, their focus and their text stay.

import styles from './settings-sheet.module.css';

/** The part of the screen that stays free above the sheet, in pixels. */
const FREE_ABOVE = 48;

/** From this width on, the settings are beside the list. */
export const BESIDE = '(width >= 60rem)';

declare global {
  interface Window {
    /** Not in every browser: reports Escape, and the back button of Android. */
    readonly CloseWatcher?: new () => EventTarget & { destroy(): void };
  }
}

export function settingsElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-settings]');
}

function barElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-bar]');
}

/** Whether the bar sticks to the bottom of the screen; a tall one does not. */
export function isBarSticky(): boolean {
  const bar = barElement();
  return bar !== null && getComputedStyle(bar).position === 'sticky';
}

/** Shows the settings as a sheet until the returned function is called. Calls `close` when the user wants that. */
export function showSheet(close: () => void): () => void {
  const [settings, bar] = [settingsElement(), barElement()];
  if (settings === null || bar === null) return () => {};
  const before = document.activeElement;
  // Keeps the height of the page, and so its place.
  const gap = document.createElement('div');
  gap.style.blockSize = `${settings.offsetHeight}px`;
  settings.after(gap);
  settings.classList.add(styles.sheet);
  const ends = [keepAbove(settings, bar), disableOthers(settings, bar), watchClosing(settings, close)];
  focusSize(settings);
  return () => {
    for (const end of ends) end();
    settings.classList.remove(styles.sheet);
    gap.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
}

/** Keeps the sheet above the bar and above the on-screen keyboard, which covers the bar. */
function keepAbove(settings: HTMLElement, bar: HTMLElement): () => void {
  const place = () => {
    const view = window.visualViewport;
    const bottom = view === null ? window.innerHeight : view.offsetTop + view.height;
    const end = isBarSticky() ? bar.getBoundingClientRect().top : window.innerHeight;
    const covered = window.innerHeight - Math.min(bottom, end);
    const top = view?.offsetTop ?? 0;
    settings.style.insetBlockEnd = `${covered}px`;
    settings.style.maxBlockSize = `${window.innerHeight - covered - top - FREE_ABOVE}px`;
  };
  place();
  const observer = new ResizeObserver(place);
  observer.observe(bar);
  const views = [window, window.visualViewport];
  for (const view of views) view?.addEventListener('resize', place);
  return () => {
    observer.disconnect();
    for (const view of views) view?.removeEventListener('resize', place);
    settings.style.removeProperty('inset-block-end');
    settings.style.removeProperty('max-block-size');
  };
}

/** Makes everything outside of the sheet and the bar inert, except for live regions, which announce the run. */
function disableOthers(...kept: readonly HTMLElement[]): () => void {
  const disabled: HTMLElement[] = [];
  const visit = (element: HTMLElement) => {
    for (const child of element.children) {
      if (!(child instanceof HTMLElement) || child.inert || kept.includes(child)) continue;
      if (kept.some((one) => child.contains(one))) visit(child);
      else if (!child.matches('[aria-live], [data-backdrop], script') && child.querySelector('[aria-live]') === null) {
        child.inert = true;
        disabled.push(child);
      }
    }
  };
  visit(document.body);
  return () => {
    for (const element of disabled) element.inert = false;
  };
}

/** Reports that the user wants to close the sheet: Escape, the back button, Enter in a field, or a wide window. */
function watchClosing(settings: HTMLElement, close: () => void): () => void {
  const watcher = window.CloseWatcher === undefined ? null : new window.CloseWatcher();
  watcher?.addEventListener('close', close);
  const press = (event: KeyboardEvent) => {
    const isText = event.target instanceof HTMLInputElement && event.target.inputMode !== '';
    if (event.key !== 'Escape' && !(event.key === 'Enter' && isText && !event.isComposing)) return;
    // Otherwise Enter would press the button that gets the focus now.
    event.preventDefault();
    close();
  };
  settings.addEventListener('keydown', press);
  const wide = window.matchMedia(BESIDE);
  wide.addEventListener('change', close);
  return () => {
    watcher?.destroy();
    settings.removeEventListener('keydown', press);
    wide.removeEventListener('change', close);
  };
}

/** Focuses the size field in use and selects its text, so that the next key replaces it. */
function focusSize(settings: HTMLElement): void {
  const field = settings.querySelector<HTMLInputElement>('[data-in-use="true"] input');
  field?.focus({ preventScroll: true });
  field?.select();
}
