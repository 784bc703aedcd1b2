// The content of an error page: a description of the problem, and links.

import type { ReactNode } from 'react';
import { buttonLooks } from '../../app/ui/index.ts';
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
        <Link {...buttonLooks('primary', 'large')} to={LOCALES[locale].path}>
          {t('error.home')}
        </Link>
        {children}
      </div>
    </div>
  );
}
