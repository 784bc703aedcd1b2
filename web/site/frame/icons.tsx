// The frame's few drawings, on a 24 × 24 grid in the line of app/ui/icon. Words stand beside or behind each of them.

import styles from './icons.module.css';

const PATHS = {
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.2A8.2 8.2 0 0 1 9.8 4a8.2 8.2 0 1 0 10.2 10.2z',
  globe:
    'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM3.2 12h17.6M12 3c2.4 2.4 3.6 5.4 3.6 9s-1.2 6.6-3.6 9c-2.4-2.4-3.6-5.4-3.6-9s1.2-6.6 3.6-9z',
  chevron: 'M6.5 9.5L12 15l5.5-5.5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  easy: 'M13 3L5.5 13.5H12L11 21l7.5-10.5H12z',
  shield: 'M12 3l7.5 2.8v5.4c0 4.6-3 8-7.5 9.8-4.5-1.8-7.5-5.2-7.5-9.8V5.8zM8.8 12l2.3 2.3 4.2-4.4',
  stack: 'M12 3.5l8.5 4.2L12 12 3.5 7.7zM3.5 12l8.5 4.3 8.5-4.3M3.5 16.3l8.5 4.2 8.5-4.2',
  mail: 'M4.5 5.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5zM3.5 7l8.5 6.5L20.5 7',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles.icon} data-icon={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The site's sign: a large square, and the small one that it becomes. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className={styles.markLarge} x="2" y="2" width="28" height="28" rx="7" />
      <rect className={styles.markSmall} x="15.5" y="15.5" width="10" height="10" rx="2" />
      <path className={styles.markArrow} d="M7.5 12.5v-5h5M7.5 7.5l5 5" />
    </svg>
  );
}
