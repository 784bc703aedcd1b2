// The button in the bar of a phone that says what the settings do, and opens them.

import { useDeferredValue } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { countChanges } from '../state/plans.ts';
import { Icon } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { useIsNarrow } from './narrow.ts';
import styles from './settings-sheet.module.css';
import { summaryText } from './summary-text.ts';

/** The button; nothing on a wide screen, where the settings are beside the list. */
export function SettingsSummary() {
  return useIsNarrow() ? <Summary /> : null;
}

function Summary() {
  const { queue, settings, settingsOpen, view } = useSession();
  const isOpen = useSignal(settingsOpen);
  const items = useSignal(queue.items);
  const { counts } = useSignal(view);
  // Deferred: planning a thousand images must not delay typing.
  const recipe = useDeferredValue(useSignal(settings.recipe));
  const words = useWords();
  // After a run, the status says what has become of the images.
  const text = summaryText(recipe, counts.pending > 0 ? countChanges(items, recipe) : null, words);
  return (
    <button
      type="button"
      className={styles.summary}
      data-summary=""
      data-problem={recipe === null}
      aria-label={words.t('summary.label', { summary: text })}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => settingsOpen.set(!isOpen)}
    >
      <span>{text}</span>
      <Icon name="chevron-right" />
    </button>
  );
}
