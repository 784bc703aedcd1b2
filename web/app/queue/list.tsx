// The list of files with its toolbar. Rows use deferred values, so that a change of settings does not delay typing with
// a thousand rows.

import { useDeferredValue, useEffect, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { ActionButton } from '../action-button.tsx';
import { previewChunk } from '../preview/index.ts';
import { useSession } from '../session-context.ts';
import { clear } from '../state/actions.ts';
import { Chunk } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { AddButton } from './add-button.tsx';
import { focusAddButton } from './focus.ts';
import styles from './list.module.css';
import { Row } from './row.tsx';
import { Thumbnails } from './thumbnails.ts';

/** The list with its messages, which are loaded with it. */
export const List = withLaterMessages(ListOfFiles);

function ListOfFiles() {
  const session = useSession();
  const handles = useDeferredValue(useSignal(session.queue.list));
  const recipe = useDeferredValue(useSignal(session.settings.recipe));
  const [thumbnails] = useState(() => new Thumbnails(session.runJob));
  const { t } = useWords();
  useEffect(() => {
    // The button with which the first files were chosen had the focus and is gone.
    if (document.activeElement === document.body) focusAddButton();
  }, []);
  return (
    <section className={styles.card} aria-label={t('list.label')}>
      <Toolbar />
      {/* Safari does not expose a list without bullets as a list. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <ul className={styles.list} role="list">
        {handles.map((handle) => (
          <Row key={handle.id} handle={handle} recipe={recipe} thumbnails={thumbnails} />
        ))}
      </ul>
      <Preview />
    </section>
  );
}

/** The preview, whose code is loaded when it is opened. */
function Preview() {
  const { previewed } = useSession();
  return useSignal(previewed) === null ? null : <Chunk of={previewChunk} fallback={null} />;
}

function Toolbar() {
  const session = useSession();
  const { counts } = useSignal(session.view);
  const { t } = useWords();
  return (
    <div className={styles.toolbar}>
      <p className={styles.total}>
        {t('list.total', { count: counts.total, size: { bytes: counts.bytes, decimals: 1 } })}
      </p>
      <AddButton label="add.more" icon="add" size="small" />
      <ActionButton action={clear} tone="quiet" size="small" />
    </div>
  );
}
