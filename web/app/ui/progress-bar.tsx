// How far something is. The width is set through the style object at run time, which the page's policy allows.

import { useEffect, useRef } from 'react';
import styles from './progress-bar.module.css';

interface ProgressBarProps {
  /** 0 to 1 */
  readonly fraction: number;
  readonly label: string;
  readonly text?: string;
}

export function ProgressBar({ fraction, label, text }: ProgressBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const percent = Math.round(fraction * 100);
  useEffect(() => {
    bar.current?.style.setProperty('--fraction', String(fraction));
  }, [fraction]);
  return (
    <div
      ref={bar}
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text ?? `${percent}%`}
    />
  );
}
