// The screen of the resizer. The session holds its state, so the screen can be unmounted and mounted again.

import { useEffect, useRef } from 'react';
import { MoreMessages, useWords } from '../i18n/index.ts';
import { ActionBar } from './action-bar.tsx';
import styles from './app.module.css';
import { listenForEnter } from './enter-key.ts';
import { overrideTitle } from './page-title.ts';
import { DropZone, FilePickerProvider, focusAddButton, hasRows, listChunk, WindowIntake } from './queue/index.ts';
import { followLinks, SettingsPanel } from './recipe/index.ts';
import { SessionContext, useSession } from './session-context.ts';
import { listenForShortcuts } from './shortcuts.ts';
import { moreMessages } from './state/more-messages.ts';
import type { Session } from './state/session.ts';
import { Chunk, LiveRegion, lazyChunk } from './ui/index.ts';
import { useSignal } from './use-signal.ts';

export const settingsSheetChunk = lazyChunk(async () => (await import('./settings-sheet/index.ts')).SettingsSheet);
export const toastsChunk = lazyChunk(async () => (await import('./toasts.tsx')).Toasts);

export function App({ session }: { readonly session: Session }) {
  useEffect(() => listenForShortcuts(session), [session]);
  useEffect(() => listenForEnter(session), [session]);
  useEffect(() => followLinks(session), [session]);
  return (
    <SessionContext value={session}>
      <FilePickerProvider>
        <Heading />
        <Workspace />
      </FilePickerProvider>
      <WindowIntake />
      <Messages />
      <PageTitle />
    </SessionContext>
  );
}

function Heading() {
  const { t } = useWords();
  return (
    <div className={styles.heading}>
      <h1 className={styles.title}>{t('page.title')}</h1>
      <p className={styles.lead}>{t('page.lead')}</p>
    </div>
  );
}

function Workspace() {
  const session = useSession();
  const empty = useSignal(session.queue.list).length === 0;
  const isListed = useSignal(hasRows);
  const list = useRef<HTMLDivElement>(null);
  const { t } = useWords();
  useEffect(() => {
    if (!empty || session.queue.removal.get().length === 0) return;
    const { activeElement } = document;
    // The focus was in the list, which was emptied: it moves to the button that adds images.
    if (activeElement === document.body || list.current?.contains(activeElement)) focusAddButton();
  }, [empty, session]);
  return (
    <div className={styles.workspace}>
      <div className={styles.files} data-empty={empty}>
        {empty ? <DropZone /> : null}
        {empty && !isListed ? null : (
          <div ref={list} className={styles.list} data-empty={empty}>
            <Chunk of={listChunk} fallback={<DropZone />} />
          </div>
        )}
      </div>
      <section className={styles.aside} aria-label={t('settings.label')}>
        {empty ? null : <Chunk of={settingsSheetChunk} fallback={null} />}
        {/* Firefox gives a scrolling element a place in the tab order, although its fields have theirs. */}
        <div className={styles.settings} data-settings="" tabIndex={-1}>
          <SettingsPanel />
        </div>
        <ActionBar />
      </section>
    </div>
  );
}

/** Toasts and announcements, which may use messages of later chunks. */
function Messages() {
  const { notifications, recovered } = useSession();
  const toasts = useSignal(notifications.toasts);
  const found = useSignal(recovered);
  const more = useSignal(moreMessages);
  return (
    <MoreMessages of={more}>
      <LiveRegion announcement={notifications.polite} urgency="polite" />
      <LiveRegion announcement={notifications.assertive} urgency="assertive" />
      {toasts.length > 0 || found !== null ? <Chunk of={toastsChunk} fallback={null} /> : null}
    </MoreMessages>
  );
}

/** Sets the page title to `(3/24) Resize Images Online` during a run. */
function PageTitle() {
  const session = useSession();
  const { run } = useSignal(session.view);
  const { t } = useWords();
  const done = run.state === 'running' ? run.finished : null;
  const total = run.state === 'running' ? run.total : 0;
  useEffect(() => {
    if (done === null) return;
    return overrideTitle(document, t('page.title.running', { done, total, title: t('page.title') }));
  }, [done, total, t]);
  return null;
}
