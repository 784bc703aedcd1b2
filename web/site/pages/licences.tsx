// The notices of the software and fonts that the site contains. The build collects them (scripts/notices.mjs).

import { useWords } from '../../i18n/index.ts';
import { RichText } from '../rich-text.tsx';
import type { PageProps } from '../runtime/loader.ts';
import styles from './privacy.module.css';

export function Licences({ queries: { introduction, notices } }: PageProps) {
  const { t } = useWords();
  if (introduction === undefined || notices === undefined)
    throw new Error('the data of the licence page is incomplete');
  return (
    <article className={styles.policy}>
      <h1>{t('footer.licences')}</h1>
      <RichText nodes={introduction} />
      {notices.map(({ packages, text }) => (
        <section key={text} lang="en">
          <h2>{packages.map(({ name, version }) => `${name} ${version}`.trim()).join(', ')}</h2>
          <p>{[...new Set(packages.map(({ license }) => license))].join(', ')}</p>
          <pre>
            <code>{text}</code>
          </pre>
        </section>
      ))}
    </article>
  );
}
