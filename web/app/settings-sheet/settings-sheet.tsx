// The settings of a phone as a sheet over the list. The sheet is the section that holds the settings and the bar on the
// page, too, so that fields keep their state. This component adds the head and the backdrop.

import { useEffect, useLayoutEffect, useRef } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Stage } from '../state/counts.ts';
import type { Session } from '../state/session.ts';
import { Button } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { closeByDrag } from './drag.ts';
import { useIsNarrow } from './narrow.ts';
import { openSheet, returnFocus } from './open-sheet.ts';
import styles from './settings-sheet.module.css';

export const SettingsSheet = withLaterMessages(SheetIfOpen);

function SheetIfOpen() {
  const { settingsOpen } = useSession();
  const isOpen = useSignal(settingsOpen);
  const isNarrow = useIsNarrow();
  useEffect(() => {
    if (!isNarrow) settingsOpen.set(false);
  }, [isNarrow, settingsOpen]);
  return isOpen && isNarrow ? <Sheet /> : null;
}

function Sheet() {
  const session = useSession();
  const head = useRef<HTMLDivElement>(null);
  const { t } = useWords();
  const close = () => session.settingsOpen.set(false);
  useLayoutEffect(() => {
    const section = head.current?.parentElement;
    if (section == null) return;
    const ends = [openSheet(section, styles.sheet, () => session.settingsOpen.set(false)), closeWithRun(session)];
    return () => {
      for (const end of ends) end();
    };
  }, [session]);
  useEffect(() => {
    const { current } = head;
    const section = current?.parentElement;
    if (current === null || section == null) return undefined;
    const end = closeByDrag(current, () => session.settingsOpen.set(false));
    return () => {
      end();
      // Not with the layout: React puts the focus back to the field after it has removed elements.
      returnFocus(section);
      // The list may have become empty while the sheet was open.
      session.settingsOpen.set(false);
    };
  }, [session]);
  return (
    <>
      <div className={styles.backdrop} aria-hidden="true" onClick={close} />
      <div ref={head} className={styles.head}>
        <h2 className={styles.title}>{t('settings.label')}</h2>
        <Button tone="quiet" onClick={close}>
          {t('sheet.done')}
        </Button>
      </div>
    </>
  );
}

/** Closes the sheet when a run starts, which the list shows, until the returned function is called. */
function closeWithRun({ view, settingsOpen }: Session): () => void {
  let before: Stage = view.get().stage;
  return view.subscribe(() => {
    const { stage } = view.get();
    if (stage === 'running' && before !== 'running') settingsOpen.set(false);
    before = stage;
  });
}
