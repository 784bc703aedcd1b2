// Keyboard shortcuts: the shortcuts of the actions, and Delete in the list. None is a single letter: screen readers use
// letters as commands, and fields take them as text.

import { removeFocusedRow } from './queue/index.ts';
import { shortcuts } from './state/actions.ts';
import type { Session } from './state/session.ts';

/** Handles shortcuts until the returned function is called. */
export function listenForShortcuts(session: Session): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return;
    if (event.key === 'Delete') removeFocusedRow();
    const mod = event.ctrlKey || event.metaKey;
    const action = shortcuts.find(({ shortcut }) => shortcut.key === event.key && shortcut.mod === mod)?.action;
    if (action === undefined || !action.enabled(session.view.get())) return;
    event.preventDefault();
    action.run(session);
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}
