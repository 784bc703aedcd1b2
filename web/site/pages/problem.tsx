// A page that could not be shown, and the ways on.

import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { Link } from '../link.tsx';
import { LOCALES } from '../locales.ts';
import type { PageProps } from '../runtime/loader.ts';
import styles from './problem.module.css';

interface ProblemProps extends Pick<PageProps, 'locale'> {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

export function Problem({ locale, title, text, children }: ProblemProps) {
  const { t } = useWords();
  return (
    <div className={styles.problem}>
      <h1>{title}</h1>
      <p>{text}</p>
      <div className={styles.ways}>
        <Link className={styles.home} to={LOCALES[locale].path}>
          {t('error.home')}
        </Link>
        {children}
      </div>
    </div>
  );
}
