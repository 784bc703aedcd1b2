// The two main buttons and the status. The buttons keep their places; only their emphasis changes.

import { Sentences, useWords } from '../i18n/index.ts';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';
import { useSession } from './session-context.ts';
import { cancel, resize, restart, retry, save } from './state/actions.ts';
import type { View } from './state/session.ts';
import { statusMessages } from './state/status-messages.ts';
import { Button, ProgressBar } from './ui/index.ts';
import { useSignal } from './use-signal.ts';

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
      </div>
      <div className={styles.status}>{running ? <Running view={view} /> : <Outcome view={view} />}</div>
    </div>
  );
}

function Running({ view: { run } }: { readonly view: View }) {
  const session = useSession();
  const fraction = useSignal(session.queue.fraction);
  const recipe = useSignal(session.settings.recipe);
  const { t } = useWords();
  if (run.state !== 'running') return null;
  const differs = recipe !== null && recipe !== run.recipe && JSON.stringify(recipe) !== JSON.stringify(run.recipe);
  const current = Math.min(run.finished + 1, run.total);
  const words = t('status.running', { current, total: run.total });
  return (
    <>
      <p className={styles.words}>{words}</p>
      <ProgressBar fraction={fraction} label={t('status.progress')} text={words} />
      {differs ? (
        <p className={styles.words}>
          {t('status.running.earlier')}
          <ActionButton action={restart} tone="quiet" size="small" />
        </p>
      ) : null}
    </>
  );
}

function Outcome({ view }: { readonly view: View }) {
  const { t } = useWords();
  const session = useSession();
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
          <ShowFailed onShow={() => session.showFailed()} />
          {retry.enabled(view) ? <ActionButton action={retry} tone="quiet" size="small" icon="retry" /> : null}
        </p>
      ) : null}
    </>
  );
}

function ShowFailed({ onShow }: { readonly onShow: () => void }) {
  const { t } = useWords();
  return (
    <Button tone="quiet" size="small" onClick={onShow}>
      {t('list.showFailed')}
    </Button>
  );
}
