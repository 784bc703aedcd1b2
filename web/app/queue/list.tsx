// The list of files with its toolbar. Rows are made, updated and removed in groups, so that a thousand of them delay
// nothing.

import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { limitBarHeight } from '../bar-height.ts';
import { fitColumn } from '../column-height.ts';
import { previewChunk } from '../preview/index.ts';
import { useSession } from '../session-context.ts';
import { copiesIn } from '../state/copies.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Chunk, Visibility } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { keepScreenOn } from '../wake-lock.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { FailedList } from './failed-list.tsx';
import { focusAddButton, focusPreviewButton } from './focus.ts';
import { keepFocus } from './focus-keeper.ts';
import { hasRows } from './has-rows.ts';
import styles from './list.module.css';
import { Row } from './row.tsx';
import { NEAR, RowUpdates } from './row-updates.ts';
import { Thumbnails } from './thumbnails.ts';
import { Toolbar } from './toolbar.tsx';
import { useGradually } from './use-gradually.ts';

const NO_ROWS: readonly ItemHandle[] = [];

/** The list with its messages, which are loaded with it. */
export const List = withLaterMessages(ListOfFiles);

function ListOfFiles() {
  const session = useSession();
  const handles = useDeferredValue(useSignal(session.queue.list));
  const onlyFailed = useDeferredValue(useSignal(session.onlyFailed));
  const shown = useGradually(onlyFailed ? NO_ROWS : handles);
  const [thumbnails] = useState(() => new Thumbnails(session.runJob));
  const [updates] = useState(() => new RowUpdates(session.settings.recipe, new Visibility(NEAR)));
  const copies = useMemo(() => copiesIn(handles.map(({ item }) => item.get())), [handles]);
  const { t } = useWords();
  useEffect(() => {
    // The button with which the first files were chosen had the focus and is gone.
    if (document.activeElement === document.body) focusAddButton();
  }, []);
  const isEmpty = handles.length === 0 && shown.length === 0;
  useEffect(() => {
    hasRows.set(!isEmpty);
    return () => hasRows.set(false);
  }, [isEmpty]);
  useEffect(keepFocus, []);
  useEffect(limitBarHeight, []);
  useEffect(fitColumn, []);
  useEffect(() => keepScreenOn(session), [session]);
  const row = (handle: ItemHandle) => (
    <Row key={handle.id} handle={handle} isCopy={copies.has(handle.id)} updates={updates} thumbnails={thumbnails} />
  );
  return (
    <section className={styles.card} aria-label={t('list.label')}>
      <Toolbar copies={copies} />
      {onlyFailed ? (
        <FailedList handles={handles} row={row} />
      ) : (
        // Safari does not expose a list without bullets as a list.
        // biome-ignore lint/a11y/noRedundantRoles: see above
        <ul className={styles.list} role="list">
          {shown.map(row)}
        </ul>
      )}
      <Preview />
    </section>
  );
}

/** The preview, whose code is loaded when it is opened. */
function Preview() {
  const { previewed } = useSession();
  const handle = useSignal(previewed);
  const last = useRef<ItemHandle | null>(null);
  useEffect(() => {
    // Closed: the focus goes to the row of the image that was shown last.
    if (handle === null && last.current !== null) focusPreviewButton(last.current.id);
    last.current = handle;
  }, [handle]);
  return handle === null ? null : <Chunk of={previewChunk} fallback={null} />;
}
