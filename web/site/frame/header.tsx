import { site } from '../config.ts';
import { Link } from '../link.tsx';
import { LOCALES, type Locale } from '../locales.ts';
import styles from './header.module.css';
import { LanguageMenu } from './language-menu.tsx';
import { Mark } from './mark.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

export function Header({ locale }: { readonly locale: Locale }) {
  return (
    <header className={styles.header}>
      <Link className={styles.name} to={LOCALES[locale].path}>
        <Mark />
        {site.name[locale]}
      </Link>
      <div className={styles.tools}>
        <ThemeToggle />
        <LanguageMenu locale={locale} />
      </div>
    </header>
  );
}
