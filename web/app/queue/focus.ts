// Moves the focus between the rows of the list and the button that adds images. Only this module uses the data
// attributes that mark these elements; components spread them as props.

import type { ItemId } from '../state/item.ts';

export const ADD_BUTTON = { 'data-add': '' };
export const REMOVE_BUTTON = { 'data-remove': '' };
export const PREVIEW_BUTTON = { 'data-preview': '' };
export const rowOf = (id: ItemId) => ({ 'data-item': id });

const ROW = '[data-item]';

const removeButtonIn = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-remove]');

export function focusAddButton(): void {
  document.querySelector<HTMLElement>('[data-add]')?.focus();
}

/** Scrolls to a row and focuses its Remove button. */
export function focusRow(id: ItemId): void {
  focusIn(id, '[data-remove]', 'center');
}

/** Focuses the button that opens the preview of an item. */
export function focusPreviewButton(id: ItemId): void {
  focusIn(id, '[data-preview]', 'nearest');
}

/** Waits for some frames: a row may be new, and one that was far from the screen has no buttons yet. */
function focusIn(id: ItemId, button: string, block: ScrollLogicalPosition, frames = 20): void {
  const row = document.querySelector(`[data-item="${id}"]`);
  row?.scrollIntoView({ block });
  const found = row?.querySelector<HTMLElement>(button) ?? null;
  if (found === null && frames > 0) requestAnimationFrame(() => focusIn(id, button, block, frames - 1));
  found?.focus({ preventScroll: true });
}

/** Focuses the Remove button of the next row, or else of the previous one, before this row is removed. */
export function focusNeighbour(element: Element): void {
  const row = element.closest(ROW);
  removeButtonIn(row?.nextElementSibling ?? row?.previousElementSibling)?.focus();
}

/** Clicks Remove in the row that has the focus, so that the focus moves as after a click. */
export function removeFocusedRow(): void {
  removeButtonIn(document.activeElement?.closest(ROW))?.click();
}
