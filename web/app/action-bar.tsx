// The two main buttons and the status. The buttons keep their places; only their emphasis changes.

import { useWords } from '../i18n/index.ts';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';
import { useSession } from './session-context.ts';
import { cancel, resize, save } from './state/actions.ts';
import { Chunk, lazyChunk } from './ui/index.ts';
import { useSignal } from './use-signal.ts';

export const runStatusChunk = lazyChunk(async () => (await import('./run-status.tsx')).RunStatus);
export const saveMenuChunk = lazyChunk(async () => (await import('./save-menu/index.ts')).SaveMenu);

export function ActionBar() {
  const session = useSession();
  const view = useSignal(session.view);
  const saving = useSignal(session.saving);
  const running = view.stage === 'running';
  const { t } = useWords();
  return (
    <div className={styles.bar} data-bar="" data-stage={view.stage}>
      <div className={styles.buttons} data-main={view.main} aria-busy={saving}>
        {/* One button element with two labels, so that it keeps the focus. */}
        <ActionButton
          action={running ? cancel : resize}
          tone={view.main === 'resize' && !running ? 'primary' : 'secondary'}
          size="large"
        />
        <ActionButton action={save} tone={view.main === 'save' ? 'primary' : 'secondary'} size="large" icon="save" />
        {view.stage === 'empty' ? null : <Chunk of={saveMenuChunk} fallback={null} />}
      </div>
      <div className={styles.status}>
        {view.stage === 'empty' ? (
          <p className={styles.words}>{t('status.idle')}</p>
        ) : (
          <Chunk of={runStatusChunk} fallback={null} />
        )}
      </div>
    </div>
  );
}
