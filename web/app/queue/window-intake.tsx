// Adds files that are dropped anywhere in the window, or pasted anywhere except into a text field.

import { useEffect, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Session } from '../state/session.ts';
import { Icon } from '../ui/index.ts';
import { fromFileList, fromMarkup, fromTransfer } from './intake.ts';
import styles from './window-intake.module.css';

export function WindowIntake() {
  const session = useSession();
  const [over, setOver] = useState(false);
  const { t } = useWords();
  const drawingName = t('add.pastedDrawing');
  useEffect(() => listenForPaste(session, drawingName), [session, drawingName]);
  useEffect(() => listenForDrop(session, setOver), [session]);
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

function listenForPaste(session: Session, drawingName: string): () => void {
  const paste = (event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    const files = clipboardData?.files ?? [];
    if (files.length > 0) {
      event.preventDefault();
      void session.add(fromFileList(files));
    } else if (!isTextField(target)) {
      // Read here: the data is not available after the event.
      const texts = { text: clipboardData?.getData('text') ?? '', html: clipboardData?.getData('text/html') ?? '' };
      void session.addPasted(fromMarkup(texts, drawingName));
    }
  };
  window.addEventListener('paste', paste);
  return () => window.removeEventListener('paste', paste);
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('textarea, input:not([type=checkbox], [type=radio], [type=range])')
  );
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
