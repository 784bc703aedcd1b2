// The browser's own question before results that nobody has saved are lost. Asked only then: a page that listens all the
// time is kept out of the browser's memory of pages.

import type { Session } from './state/session.ts';

/** Listens until the returned function is called. */
export function confirmBeforeUnload(session: Session): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  const look = () => {
    const { counts, stage } = session.view.get();
    if (counts.unsaved > 0 || stage === 'running') window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  };
  look();
  const end = session.view.subscribe(look);
  return () => {
    end();
    window.removeEventListener('beforeunload', ask);
  };
}
