// The line below the buttons while results are shared: a button for the next group, and another way if sharing failed.

import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Button, IconButton } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { saveBy } from './save-by.ts';
import styles from './share-more.module.css';
import { shareGroup, sharing, stopSharing } from './sharing.ts';
import { MOST_SHARED } from './ways.ts';

export function ShareMore() {
  const session = useSession();
  const current = useSignal(sharing);
  const words = useWords();
  const { t, rich } = words;
  if (current === null) return null;
  const { files, done, hasFailed } = current;
  const count = Math.min(MOST_SHARED, files.length - done);
  const asArchive = () => {
    stopSharing();
    void saveBy('zip', session, words);
  };
  return (
    <section className={styles.line} aria-label={t('save.share')}>
      <p role="status">
        {hasFailed ? rich({ key: 'save.problem.share' }) : t('save.sharedSome', { done, total: files.length })}
      </p>
      {hasFailed ? (
        <Button size="small" onClick={asArchive}>
          {t('save.zip')}
        </Button>
      ) : (
        <Button size="small" tone="primary" onClick={() => void shareGroup(session, current)}>
          {t('save.shareNext', { count })}
        </Button>
      )}{' '}
      <IconButton icon="close" label={t('action.close')} onClick={stopSharing} />
    </section>
  );
}
