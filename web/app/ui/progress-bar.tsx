// A progress bar: the native element in the style of the page.

import styles from './progress-bar.module.css';

interface ProgressBarProps {
  /** 0 to 1 */
  readonly fraction: number;
  readonly label: string;
  readonly text?: string;
}

export function ProgressBar({ fraction, label, text }: ProgressBarProps) {
  return (
    <progress
      className={styles.bar}
      value={fraction}
      max={1}
      aria-label={label}
      aria-valuetext={text ?? `${Math.round(fraction * 100)}%`}
    />
  );
}
