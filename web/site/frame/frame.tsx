// The frame around every page: skip link, notices, header and footer.

import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import type { Locale } from '../locales.ts';
import type { PageName } from '../page-data.ts';
import { Footer } from './footer.tsx';
import styles from './frame.module.css';
import { Header } from './header.tsx';
import { Notices } from './notices.tsx';

interface FrameProps {
  readonly locale: Locale;
  readonly page: PageName;
  readonly builtIn: number;
  readonly children: ReactNode;
}

export function Frame({ locale, page, builtIn, children }: FrameProps) {
  const { t } = useWords();
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        {t(page === 'home' ? 'page.skip' : 'page.skipContent')}
      </a>
      <Notices />
      <Header locale={locale} />
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer builtIn={builtIn} />
    </div>
  );
}
