// Keeps the screen on during a run, because a phone that switches it off stops the page.

import type { Session } from './state/session.ts';

/** Keeps the screen on during runs until the returned function is called. */
export function keepScreenOn(session: Session): () => void {
  let lock: Promise<WakeLockSentinel | null> | null = null;
  const update = () => {
    const isWanted = session.view.get().stage === 'running' && document.visibilityState === 'visible';
    if (isWanted) {
      lock ??= request();
    } else {
      void lock?.then((sentinel) => sentinel?.release());
      lock = null;
    }
  };
  update();
  // The browser releases the lock of a hidden page.
  document.addEventListener('visibilitychange', update);
  const unsubscribe = session.view.subscribe(update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    unsubscribe();
    void lock?.then((sentinel) => sentinel?.release());
  };
}

/** Resolves to null where the browser has no such lock or refuses it, for example to save energy. */
async function request(): Promise<WakeLockSentinel | null> {
  try {
    return await navigator.wakeLock.request('screen');
  } catch {
    return null;
  }
}
