// The browser's prompt before unsaved results are lost. The listener exists only while it is needed, because browsers
// keep pages with a `beforeunload` listener out of the back/forward cache.

import type { Session } from './state/session.ts';

/** Prompts before the page is left, until the returned function is called. */
export function confirmBeforeUnload(session: Session): () => void {
  const prompt = (event: BeforeUnloadEvent) => event.preventDefault();
  const update = () => {
    const { counts, stage } = session.view.get();
    if (counts.unsaved > 0 || stage === 'running') window.addEventListener('beforeunload', prompt);
    else window.removeEventListener('beforeunload', prompt);
  };
  update();
  const unsubscribe = session.view.subscribe(update);
  return () => {
    unsubscribe();
    window.removeEventListener('beforeunload', prompt);
  };
}
