// The list of files with its toolbar. A change of the settings reaches a thousand rows without holding up the typing:
// rows follow when the browser has time.

import { useDeferredValue, useState } from 'react';
import { formatBytes } from '../../domain/bytes.ts';
import { useWords } from '../../i18n/index.ts';
import { useCell } from '../cell.ts';
import { IntentionButton } from '../intention-button.tsx';
import { clear } from '../intentions.ts';
import { useSession } from '../session-context.ts';
import { AddButton } from './add-button.tsx';
import styles from './list.module.css';
import { Row } from './row.tsx';
import { Thumbnails } from './thumbnails.ts';

export function List() {
  const session = useSession();
  const slots = useDeferredValue(useCell(session.queue.list));
  const recipe = useDeferredValue(useCell(session.settings.recipe));
  const [thumbnails] = useState(() => new Thumbnails(session.queue.sketch));
  const { t } = useWords();
  return (
    <section className={styles['card']} aria-label={t('list.label')}>
      <Toolbar />
      {/* Safari forgets that a list without bullets is a list. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <ul className={styles['list']} role="list">
        {slots.map((slot) => (
          <Row key={slot.id} slot={slot} recipe={recipe} thumbnails={thumbnails} />
        ))}
      </ul>
    </section>
  );
}

function Toolbar() {
  const session = useSession();
  const { tally } = useCell(session.view);
  const { t } = useWords();
  return (
    <div className={styles['toolbar']}>
      <p className={styles['total']}>{t('list.total', { count: tally.total, size: formatBytes(tally.bytes, 1) })}</p>
      <AddButton label="add.more" icon="add" size="small" />
      <IntentionButton intention={clear} tone="quiet" size="small" />
    </div>
  );
}
