// The Enter key in a number field. In the sheet of a phone it closes the sheet. With a mouse it starts the run; on a touch
// screen it closes the on-screen keyboard, which covers half of the page.

import { resize } from './state/actions.ts';
import type { Session } from './state/session.ts';

/** Handles the key until the returned function is called. */
export function listenForEnter(session: Session): () => void {
  const press = (event: KeyboardEvent) => {
    const field = event.target;
    if (event.key !== 'Enter' || event.repeat || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (!(field instanceof HTMLInputElement) || field.inputMode === '') return;
    if (session.settingsOpen.get()) {
      // The button that gets the focus must not be clicked by the same key.
      event.preventDefault();
      session.settingsOpen.set(false);
    } else if (matchMedia('(pointer: coarse)').matches) field.blur();
    else if (resize.enabled(session.view.get())) resize.run(session);
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}
