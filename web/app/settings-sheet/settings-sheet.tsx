// The button with the settings in a few words. On a small screen it is part of the bar at the bottom, and opens the
// settings as a sheet: they are never further than a tap, whatever the length of the list.

import { useDeferredValue, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { FORMATS } from '../../domain/formats.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { CHANGES, countChanges } from '../state/plans.ts';
import { Button, Icon } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import styles from './settings-sheet.module.css';
import { isBarSticky, settingsElement, showSheet } from './sheet.ts';
import { sizeMessage } from './summary.ts';

/** The button with its messages, which are loaded with it. */
export const SettingsSheet = withLaterMessages(SheetButton);

function SheetButton() {
  const running = useSignal(useSession().view).stage === 'running';
  const [open, setOpen] = useState(false);
  // Where the bar does not stick, the sheet covers it and has a button of its own.
  const doneIn = open && !isBarSticky() ? settingsElement() : null;
  const { t } = useWords();
  useEffect(() => (open ? showSheet(() => setOpen(false)) : undefined), [open]);
  useEffect(() => {
    if (running) setOpen(false);
  }, [running]);
  return (
    <>
      <button type="button" className={styles.button} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Summary />
        <Icon name="chevron-down" />
      </button>
      {open && doneIn !== null
        ? createPortal(
            <div className={styles.done}>
              <Button tone="primary" onClick={() => setOpen(false)}>
                {t('summary.done')}
              </Button>
            </div>,
            doneIn,
          )
        : null}
      {open
        ? createPortal(
            // biome-ignore lint/a11y/noStaticElementInteractions: Escape and the button close the sheet, too
            // biome-ignore lint/a11y/useKeyWithClickEvents: the same
            <div data-backdrop="" className={styles.backdrop} onClick={() => setOpen(false)} />,
            document.body,
          )
        : null}
    </>
  );
}

/** `1920 px wide · Same as original · 41 will shrink` */
function Summary() {
  const { queue, settings } = useSession();
  const { format } = useSignal(settings.form);
  const recipe = useSignal(settings.recipe);
  const items = useSignal(queue.items);
  // Deferred: planning a thousand images must not delay typing.
  const counts = countChanges(items, useDeferredValue(recipe));
  const { t } = useWords();
  const most = CHANGES.reduce((one, other) => (counts[other] > counts[one] ? other : one));
  const size = sizeMessage(recipe?.size ?? null);
  const parts = [
    t(size.key, size.values),
    format === 'same' ? t('format.same') : FORMATS[format].name,
    ...(counts[most] === 0 ? [] : [t(`size.count.${most}`, { count: counts[most] })]),
  ];
  return <span className={styles.words}>{parts.join(' · ')}</span>;
}
