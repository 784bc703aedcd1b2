// The site's logo: a large square and a small square, with an arrow between them.

import styles from './mark.module.css';

export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className={styles.large} x="2" y="2" width="28" height="28" rx="7" />
      <rect className={styles.small} x="15.5" y="15.5" width="10" height="10" rx="2" />
      <path className={styles.arrow} d="M7.5 12.5v-5h5M7.5 7.5l5 5" />
    </svg>
  );
}
