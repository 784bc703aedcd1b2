// The line above the rows: what the list holds, and the buttons that change it.

import { useWords } from '../../i18n/index.ts';
import { ActionButton } from '../action-button.tsx';
import { useSession } from '../session-context.ts';
import { clear } from '../state/actions.ts';
import type { ItemId } from '../state/item.ts';
import { Button } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { AddButton } from './add-button.tsx';
import styles from './list.module.css';

interface ToolbarProps {
  /** The files that were added more than once. */
  readonly copies: ReadonlySet<ItemId>;
}

export function Toolbar({ copies }: ToolbarProps) {
  const onlyFailed = useSignal(useSession().onlyFailed);
  return (
    <>
      <div className={styles.toolbar}>
        <Total />
        <AddButton label="add.more" icon="add" size="small" />
        <ActionButton action={clear} tone="quiet" size="small" />
      </div>
      {onlyFailed ? <Filter /> : null}
      {copies.size === 0 || onlyFailed ? null : <Copies copies={copies} />}
    </>
  );
}

/** `15 images · 40MB`, or `15 files · 2 images · 40MB` if some of the files cannot be used. */
function Total() {
  const { counts } = useSignal(useSession().view);
  const { t } = useWords();
  const size = { bytes: counts.bytes, decimals: 1 };
  const images = t('list.total', { count: counts.total - counts.unusable, size });
  return (
    <p className={styles.total}>{counts.unusable === 0 ? images : t('list.files', { count: counts.total, images })}</p>
  );
}

/** Says that the list shows failed files only, with a button that ends it. */
function Filter() {
  const session = useSession();
  const { counts } = useSignal(session.view);
  const { t } = useWords();
  return (
    <p className={styles.line}>
      {t('list.onlyFailed', { count: counts.failed, total: counts.total })}
      <Button tone="quiet" size="small" onClick={() => session.toggleFailed()}>
        {t('list.showAll')}
      </Button>
    </p>
  );
}

function Copies({ copies }: ToolbarProps) {
  const session = useSession();
  const { t } = useWords();
  return (
    <p className={styles.line}>
      {t('list.copies', { count: copies.size })}
      <Button tone="quiet" size="small" onClick={() => session.remove(...copies)}>
        {t('list.removeCopies')}
      </Button>
    </p>
  );
}
