// Keeps the language list under its button and inside the window, whatever its size. Loaded with the first opening: the
// style sheet already puts the list where it belongs in most windows.

import { autoUpdate, computePosition, flip, offset, shift } from '@floating-ui/react';

/** @returns what ends it */
export function float(button: HTMLElement, list: HTMLElement): () => void {
  const middleware = [offset(6), flip(), shift({ padding: 8 })];
  return autoUpdate(button, list, () => {
    void computePosition(button, list, { placement: 'bottom-end', middleware }).then(({ x, y }) => {
      list.style.setProperty('inset', `${Math.round(y)}px auto auto ${Math.round(x)}px`);
    });
  });
}
