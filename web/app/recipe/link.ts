// Settings from the address of the page; the code for them is loaded only if the address has any.

import { SETTINGS_HASH } from '../../domain/settings.ts';
import type { Session } from '../state/session.ts';

/** Uses the settings of the address, now and whenever the address gets some. The returned function ends this. */
export function followLinks(session: Session): () => void {
  const follow = () => {
    if (location.hash.startsWith(SETTINGS_HASH))
      void import('./settings-link.ts').then((link) => link.readLink(session));
  };
  follow();
  window.addEventListener('hashchange', follow);
  return () => window.removeEventListener('hashchange', follow);
}
