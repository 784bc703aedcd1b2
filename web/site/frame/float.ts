// Keeps the language list under its button and inside the window. It is loaded when the list first opens, because in
// most windows the style sheet alone positions the list correctly.

import { autoUpdate, computePosition, flip, offset, shift } from '@floating-ui/react';

/** Positions the list until the returned function is called. */
export function float(button: HTMLElement, list: HTMLElement): () => void {
  const middleware = [offset(6), flip(), shift({ padding: 8 })];
  return autoUpdate(button, list, () => {
    void computePosition(button, list, { placement: 'bottom-end', middleware }).then(({ x, y }) => {
      list.style.setProperty('inset', `${Math.round(y)}px auto auto ${Math.round(x)}px`);
    });
  });
}
