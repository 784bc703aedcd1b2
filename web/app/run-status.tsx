// The status below the buttons. During a run: what is being resized, the time left, and whether the settings have
// changed meanwhile. Otherwise the outcome.

import { useEffect, useState } from 'react';
import { Sentences, useWords } from '../i18n/index.ts';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';
import { useSession } from './session-context.ts';
import { SettingsSummary } from './settings-sheet/index.ts';
import { restart, retry } from './state/actions.ts';
import type { View } from './state/session.ts';
import { statusMessages } from './state/status-messages.ts';
import { type TimeLeft, TimeLeftEstimate } from './state/time-left.ts';
import { Button, ProgressBar } from './ui/index.ts';
import { useSignal } from './use-signal.ts';
import { withLaterMessages } from './with-later-messages.tsx';

export const RunStatus = withLaterMessages(Status);

function Status() {
  const view = useSignal(useSession().view);
  return (
    <>
      <SettingsSummary />
      {view.stage === 'running' ? <StatusOfRun /> : <Outcome view={view} />}
    </>
  );
}

function StatusOfRun() {
  const { queue, settings } = useSession();
  const { run } = useSignal(queue.status);
  const fraction = useSignal(queue.fraction);
  const recipe = useSignal(settings.recipe);
  const left = useTimeLeft();
  const { t } = useWords();
  if (run.state !== 'running') return null;
  const differs = recipe !== null && recipe !== run.recipe && JSON.stringify(recipe) !== JSON.stringify(run.recipe);
  const current = Math.min(run.finished + 1, run.total);
  const words = t('status.running', { current, total: run.total });
  return (
    <>
      <p className={styles.words}>
        {words}
        {left === null
          ? null
          : ` · ${'count' in left ? t(`left.${left.unit}`, { count: left.count }) : t('left.moments')}`}
      </p>
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

/** Returns the time left; null before there is an estimate. */
function useTimeLeft(): TimeLeft | null {
  const { queue } = useSession();
  const [left, setLeft] = useState<TimeLeft | null>(null);
  useEffect(() => {
    const estimate = new TimeLeftEstimate(performance.now());
    return queue.fraction.subscribe(() => {
      const { run } = queue.status.get();
      if (run.state !== 'running') return;
      setLeft(estimate.update(performance.now(), queue.fraction.get() * run.total, run.total));
    });
  }, [queue]);
  return left;
}

function Outcome({ view }: { readonly view: View }) {
  const { t } = useWords();
  const messages = statusMessages(view).filter(({ key }) => key !== 'status.saveReady');
  return (
    <>
      {messages.length === 0 ? (
        <p className={styles.idle}>{t('status.idle')}</p>
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
