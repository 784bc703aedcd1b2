// Settings from the address of the page. The hash is removed, so that a reload keeps what the visitor changes later.

import { formOfHash } from '../../domain/presets.ts';
import type { Session } from '../state/session.ts';
import '../with-later-messages.tsx';

/** Uses the settings of the address, or says that it is damaged. */
export function readLink({ settings, notifications }: Session): void {
  const form = formOfHash(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  if (form === null) {
    notifications.show({ key: 'presets.problem.link' }, { tone: 'critical' });
    return;
  }
  settings.change(form);
  notifications.show({ key: 'presets.linked' });
}
