// The toasts of the session. They are loaded later, because nothing is said at the start.

import { useCallback } from 'react';
import { useSession } from './session-context.ts';
import type { Toast } from './state/notifications.ts';
import { RecoveredToast, ToastStack } from './toast-stack.tsx';
import { useSignal } from './use-signal.ts';
import { withLaterMessages } from './with-later-messages.tsx';

export const Toasts = withLaterMessages(SessionToasts);

function SessionToasts() {
  const session = useSession();
  const toasts = useSignal(session.notifications.toasts);
  const recovered = useSignal(session.recovered);
  const close = useCallback((toast: Toast) => session.dismiss(toast), [session]);
  return (
    <ToastStack toasts={toasts} onUndo={() => session.undo()} onClose={close}>
      {recovered === null ? null : <RecoveredToast recovered={recovered} />}
    </ToastStack>
  );
}
