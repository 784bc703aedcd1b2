// Keyboard shortcuts: those of the actions, and Delete in the list. None is a single letter, since screen readers use
// these and fields take them as text.

import { removeFocusedRow } from './queue/index.ts';
import { shortcutActions } from './state/actions.ts';
import type { Session } from './state/session.ts';

export function listenForShortcuts(session: Session): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return;
    if (event.key === 'Delete') removeFocusedRow();
    const mod = event.ctrlKey || event.metaKey;
    const found = shortcutActions.find(({ shortcut }) => shortcut.key === event.key && shortcut.mod === mod);
    if (found === undefined || !found.enabled(session.view.get())) return;
    event.preventDefault();
    found.run(session);
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}
