// The keyboard beyond Tab, Enter and Space: what intentions say, and Delete in the list. No single letters: they would
// get in the way of screen readers and of typing.

import { shortcutActions } from './state/actions.ts';
import type { Session } from './state/session.ts';

export function listenForShortcuts(session: Session): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return;
    if (event.key === 'Delete') removeFocused();
    const mod = event.ctrlKey || event.metaKey;
    const found = shortcutActions.find(({ shortcut }) => shortcut.key === event.key && shortcut.mod === mod);
    if (found === undefined || !found.enabled(session.view.get())) return;
    event.preventDefault();
    found.run(session);
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}

/** As if the row's Remove had been pressed, so that the focus goes on in the same way. */
function removeFocused(): void {
  document.activeElement?.closest('[data-item]')?.querySelector<HTMLElement>('[data-remove]')?.click();
}
