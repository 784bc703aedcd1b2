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

/** Scrolls to a row and focuses its Remove button. Waits for some frames if the row has not been rendered yet. */
export function focusRow(id: ItemId, frames = 10): void {
  const row = document.querySelector(`[data-item="${id}"]`);
  if (row === null && frames > 0) requestAnimationFrame(() => focusRow(id, frames - 1));
  row?.scrollIntoView({ block: 'center' });
  removeButtonIn(row)?.focus({ preventScroll: true });
}

/** Focuses the button that opens the preview of an item. */
export function focusPreviewButton(id: ItemId): void {
  document.querySelector<HTMLElement>(`[data-item="${id}"] [data-preview]`)?.focus();
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
