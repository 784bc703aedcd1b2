// What the runtime has to say: a page that takes long, a page that was reached, a new version.

import { useEffect, useState } from 'react';
import type { Readable } from '../../app/state/signal.ts';
import { useSignal } from '../../app/use-signal.ts';
import { useWords } from '../../i18n/index.ts';
import type { Place } from '../runtime/navigation.ts';
import { type Runtime, useRuntime } from '../runtime-context.ts';
import styles from './notices.module.css';

export function Notices() {
  const runtime = useRuntime();
  if (runtime === null) return null;
  return (
    <>
      <SlowRoute isSlow={runtime.navigation.isSlow} />
      <Announcer place={runtime.navigation.place} />
      <UpdateNotice runtime={runtime} />
    </>
  );
}

function SlowRoute({ isSlow }: { readonly isSlow: Readable<boolean> }) {
  const { t } = useWords();
  const slow = useSignal(isSlow);
  return (
    <div role="status" aria-live="polite" className={styles.slow} data-slow={slow || undefined}>
      <span className={styles.hidden}>{slow ? t('route.loading') : ''}</span>
    </div>
  );
}

/** Names the page that a step has reached; the first page is read by the browser itself. */
function Announcer({ place }: { readonly place: Readable<Place> }) {
  const { t } = useWords();
  const { step, arrival } = useSignal(place);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (step === 0 || arrival.by === 'start') return;
    // After the page has been drawn: then its heading is there.
    const frame = requestAnimationFrame(() => {
      const heading = document.querySelector('main h1')?.textContent;
      setSaid(t('route.arrived', { title: heading || document.title }));
    });
    return () => cancelAnimationFrame(frame);
  }, [step, arrival, t]);
  return (
    <div className={styles.hidden} aria-live="assertive" aria-atomic="true" data-announcer="">
      {said}
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
          <button type="button" className={styles.reload} onClick={runtime.reload}>
            {t('action.reload')}
          </button>
        </div>
      ) : null}
    </div>
  );
}
