// The messages of the runtime: a slow page load, the page that was reached, a new version.

import { useEffect, useState } from 'react';
import type { Readable } from '../../app/state/signal.ts';
import { Button, hidden } from '../../app/ui/index.ts';
import { useSignal } from '../../app/use-signal.ts';
import { useWords } from '../../i18n/index.ts';
import type { CurrentRoute } from '../runtime/navigation.ts';
import { type Runtime, useRuntime } from '../runtime-context.ts';
import styles from './notices.module.css';

export function Notices() {
  const runtime = useRuntime();
  if (runtime === null) return null;
  return (
    <>
      <SlowRoute isSlow={runtime.navigation.isSlow} />
      <Announcer route={runtime.navigation.route} />
      <UpdateNotice runtime={runtime} />
    </>
  );
}

function SlowRoute({ isSlow }: { readonly isSlow: Readable<boolean> }) {
  const { t } = useWords();
  const slow = useSignal(isSlow);
  return (
    <div role="status" aria-live="polite" className={styles.slow} data-slow={slow || undefined}>
      <span className={hidden}>{slow ? t('route.loading') : ''}</span>
    </div>
  );
}

/** Announces the page that a navigation has reached; screen readers announce the first page themselves. */
function Announcer({ route }: { readonly route: Readable<CurrentRoute> }) {
  const { t } = useWords();
  const { step, arrival } = useSignal(route);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    if (step === 0 || arrival.by === 'start') return;
    // A frame later, when the page has been painted and its heading exists.
    const frame = requestAnimationFrame(() => {
      const heading = document.querySelector('main h1')?.textContent;
      setAnnouncement(t('route.arrived', { title: heading || document.title }));
    });
    return () => cancelAnimationFrame(frame);
  }, [step, arrival, t]);
  return (
    <div className={hidden} aria-live="assertive" aria-atomic="true" data-announcer="">
      {announcement}
    </div>
  );
}

function UpdateNotice({ runtime }: { readonly runtime: Runtime }) {
  const { t } = useWords();
  const ready = useSignal(runtime.updateReady);
  return (
    <div role="status" aria-live="polite">
      {ready ? (
        <div className={styles.update}>
          <p>{t('update.ready')}</p>
          <Button onClick={runtime.reload}>{t('action.reload')}</Button>
        </div>
      ) : null}
    </div>
  );
}
