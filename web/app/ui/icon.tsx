// The icons, each a path on a 24 × 24 grid. They accompany text and are hidden from screen readers.

import styles from './icon.module.css';

const PATHS = {
  add: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 8v5M12 16.5v.01M12 3.2l9.3 16.3a.6.6 0 0 1-.5.9H3.2a.6.6 0 0 1-.5-.9L12 3.2z',
  info: 'M12 11v5.5M12 7.5v.01M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  'chevron-right': 'M9 5.5l6.5 6.5L9 18.5',
  save: 'M12 4v11M7.5 11L12 15.5 16.5 11M5 19.5h14',
  play: 'M8 5.5v13L18.5 12z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z',
  retry: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4h-4',
  mirror: 'M12 3.5v17M8.5 7v10H3zM15.5 7v10H21z',
  image:
    'M5 4h14a1.5 1.5 0 0 1 1.5 1.5v13A1.5 1.5 0 0 1 19 20H5a1.5 1.5 0 0 1-1.5-1.5v-13A1.5 1.5 0 0 1 5 4zM4 16.5l4.2-4.2 3.3 3.3 3.7-3.7 4.8 4.8M8.6 8.9v.01',
  folder:
    'M3.5 18V6.5A1.5 1.5 0 0 1 5 5h4.2l2.3 2.5H19A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z',
  paste:
    'M9 4.5h6v3H9zM9 6H6.5A1.5 1.5 0 0 0 5 7.5v11A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-11A1.5 1.5 0 0 0 17.5 6H15',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.2A8.2 8.2 0 0 1 9.8 4a8.2 8.2 0 1 0 10.2 10.2z',
  globe:
    'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM3.2 12h17.6M12 3c2.4 2.4 3.6 5.4 3.6 9s-1.2 6.6-3.6 9c-2.4-2.4-3.6-5.4-3.6-9s1.2-6.6 3.6-9z',
  'chevron-down': 'M6.5 9.5L12 15l5.5-5.5',
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
