// The part of all images that stays when they are cropped to the shape of the settings, in the preview of one of them.

import { focusPercent } from '../../domain/focus.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Button } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { coverOf, type Editing } from './editing.ts';
import styles from './preview.module.css';

interface FocusFieldsProps {
  readonly handle: ItemHandle;
  readonly editing: Editing;
}

export function FocusFields({ handle, editing: { edited, toggle } }: FocusFieldsProps) {
  const { settings } = useSession();
  const { focus } = useSignal(settings.form);
  const cover = coverOf(useSignal(handle.item), useSignal(settings.recipe), useSignal(settings.turn));
  const { t } = useWords();
  if (cover === null) return null;
  const [x, y] = focusPercent(focus);
  return (
    <details
      className={styles.ownSize}
      open={edited === 'focus'}
      onToggle={(event) => toggle('focus', event.currentTarget.open)}
    >
      <summary>{t('focus.label')}</summary>
      <p className={styles.ownNote}>{t('focus.all')}</p>
      <div className={styles.focus}>
        <output className={styles.ownNote}>{t('focus.free', { x: x / 100, y: y / 100 })}</output>
        <Button size="small" aria-disabled={focus === 'center'} onClick={() => settings.change({ focus: 'center' })}>
          {t('focus.center.reset')}
        </Button>
      </div>
    </details>
  );
}
