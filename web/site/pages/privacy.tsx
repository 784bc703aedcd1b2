import { useWords } from '../../i18n/index.ts';
import { RichText } from '../rich-text.tsx';
import type { PageProps } from '../runtime/loader.ts';
import styles from './privacy.module.css';

export function Privacy({ queries: { policy } }: PageProps) {
  const { t } = useWords();
  if (policy === undefined) throw new Error('the data of the privacy page lacks its text');
  return (
    <article className={styles.policy}>
      <h1>{policy.title}</h1>
      <p className={styles.updated}>
        <time dateTime={policy.updated}>{t('privacy.updated', { date: policy.updatedText })}</time>
      </p>
      <RichText nodes={policy.body} />
    </article>
  );
}
