// Keeps the list of a menu at its button and inside the window, above the button if there is no room below. It is
// loaded when a list first opens, and is not in the folder ui, whose modules the first load shares.

import { autoUpdate, computePosition, flip, offset, shift } from '@floating-ui/react';

/** Positions the list until the returned function is called. */
export function float(button: HTMLElement, list: HTMLElement): () => void {
  const middleware = [offset(6), flip(), shift({ padding: 8 })];
  // A fixed list is not clipped by a card that contains its button.
  const strategy = 'fixed';
  list.style.position = strategy;
  return autoUpdate(button, list, () => {
    void computePosition(button, list, { placement: 'bottom-end', strategy, middleware }).then(({ x, y }) => {
      list.style.setProperty('inset', `${Math.round(y)}px auto auto ${Math.round(x)}px`);
    });
  });
}
