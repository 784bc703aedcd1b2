// Adds files that are dropped anywhere in the window, or pasted anywhere except into a text field.

import { useEffect, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Session } from '../state/session.ts';
import { Icon } from '../ui/index.ts';
import { fromFileList, fromTransfer } from './intake.ts';
import styles from './window-intake.module.css';

export function WindowIntake() {
  const session = useSession();
  const [over, setOver] = useState(false);
  useEffect(() => listenForPaste(session), [session]);
  useEffect(() => listenForDrop(session, setOver), [session]);
  const { t } = useWords();
  if (!over) return null;
  return (
    <div className={styles.overlay} aria-hidden="true">
      <p className={styles.words}>
        <Icon name="add" />
        {t('add.drop.more')}
      </p>
    </div>
  );
}

function listenForPaste(session: Session): () => void {
  const paste = (event: ClipboardEvent) => {
    const files = event.clipboardData?.files ?? [];
    if (files.length > 0) {
      event.preventDefault();
      void session.add(fromFileList(files));
    } else if (!isTextField(event.target)) {
      session.notifications.show({ key: 'add.problem.clipboardEmpty' }, { tone: 'critical' });
    }
  };
  window.addEventListener('paste', paste);
  return () => window.removeEventListener('paste', paste);
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function listenForDrop(session: Session, show: (over: boolean) => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const over = (event: DragEvent) => {
    // Without this the browser would open the file instead of the page.
    event.preventDefault();
    if (holdsFiles(event)) show(true);
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) show(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    show(false);
    const { dataTransfer } = event;
    if (dataTransfer !== null && holdsFiles(event)) void session.add(fromTransfer(dataTransfer));
    else session.notifications.show({ key: 'add.problem.link' }, { tone: 'critical' });
  };
  window.addEventListener('dragenter', () => session.warmUp(), { signal, once: true });
  window.addEventListener('dragover', over, { signal });
  window.addEventListener('dragleave', leave, { signal });
  window.addEventListener('drop', drop, { signal });
  return () => abort.abort();
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
