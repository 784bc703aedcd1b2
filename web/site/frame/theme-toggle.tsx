// The button that switches between light and dark. CSS selects its icon by a class of the root element, so the HTML is
// correct before any script runs.

import { Icon } from '../../app/ui/index.ts';
import { useWords } from '../../i18n/index.ts';
import { toggleTheme, useIsDark } from '../theme.ts';
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
