// Switches between light and dark. Which drawing shows is decided by style from the root's class, so that the HTML of
// every page is right before any script runs.

import { useWords } from '../../i18n/index.ts';
import { toggleTheme, useIsDark } from '../theme.ts';
import { Icon } from './icons.tsx';
import styles from './theme-toggle.module.css';

export function ThemeToggle() {
  const { t } = useWords();
  const dark = useIsDark();
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-label={t('theme.dark')}
      title={t('theme.dark')}
      aria-pressed={dark}
      onClick={toggleTheme}
    >
      <Icon name="moon" />
      <Icon name="sun" />
    </button>
  );
}
