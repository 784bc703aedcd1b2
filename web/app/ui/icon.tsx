// The page's few drawings, each a path on a 24 × 24 grid. They accompany words and are hidden from screen readers.

import styles from './icon.module.css';

const PATHS = {
  add: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 8v5M12 16.5v.01M12 3.2l9.3 16.3a.6.6 0 0 1-.5.9H3.2a.6.6 0 0 1-.5-.9L12 3.2z',
  info: 'M12 11v5.5M12 7.5v.01M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  chevron: 'M9 5.5l6.5 6.5L9 18.5',
  save: 'M12 4v11M7.5 11L12 15.5 16.5 11M5 19.5h14',
  retry: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4h-4',
  image:
    'M5 4h14a1.5 1.5 0 0 1 1.5 1.5v13A1.5 1.5 0 0 1 19 20H5a1.5 1.5 0 0 1-1.5-1.5v-13A1.5 1.5 0 0 1 5 4zM4 16.5l4.2-4.2 3.3 3.3 3.7-3.7 4.8 4.8M8.6 8.9v.01',
  folder:
    'M3.5 18V6.5A1.5 1.5 0 0 1 5 5h4.2l2.3 2.5H19A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z',
  paste:
    'M9 4.5h6v3H9zM9 6H6.5A1.5 1.5 0 0 0 5 7.5v11A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-11A1.5 1.5 0 0 0 17.5 6H15',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
