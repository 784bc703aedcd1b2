// The two main buttons and the status. The buttons keep their places; only their emphasis changes.

import { Sentences, useWords } from '../i18n/index.ts';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';
import { useSession } from './session-context.ts';
import { cancel, resize, retry, save } from './state/actions.ts';
import type { View } from './state/session.ts';
import { statusMessages } from './state/status-messages.ts';
import { Button, Chunk, lazyChunk } from './ui/index.ts';
import { useSignal } from './use-signal.ts';

export const runStatusChunk = lazyChunk(async () => (await import('./run-status.tsx')).RunStatus);
export const saveMenuChunk = lazyChunk(async () => (await import('./save-menu/index.ts')).SaveMenu);

export function ActionBar() {
  const session = useSession();
  const view = useSignal(session.view);
  const saving = useSignal(session.saving);
  const running = view.stage === 'running';
  return (
    <div className={styles.bar} data-stage={view.stage}>
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
        {running ? <Chunk of={runStatusChunk} fallback={null} /> : <Outcome view={view} />}
      </div>
    </div>
  );
}

function Outcome({ view }: { readonly view: View }) {
  const { t } = useWords();
  const messages = statusMessages(view).filter(({ key }) => key !== 'status.saveReady');
  return (
    <>
      {messages.length === 0 ? (
        <p className={styles.words}>{t('status.idle')}</p>
      ) : (
        <p className={styles.words} data-stage={view.stage}>
          <Sentences messages={messages} />
        </p>
      )}
      {view.counts.failed > 0 ? (
        <p className={styles.more}>
          <ShowFailed count={view.counts.failed} />
          {retry.enabled(view) ? <ActionButton action={retry} tone="quiet" size="small" icon="retry" /> : null}
        </p>
      ) : null}
    </>
  );
}

function ShowFailed({ count }: { readonly count: number }) {
  const session = useSession();
  const isOn = useSignal(session.onlyFailed);
  const { t } = useWords();
  return (
    <Button tone="quiet" size="small" onClick={() => session.toggleFailed()}>
      {isOn ? t('list.showAll') : t('list.showFailed', { count })}
    </Button>
  );
}
