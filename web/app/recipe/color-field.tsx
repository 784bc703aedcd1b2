// A field for an opaque colour.

import type { Rgb } from '../../domain/job.ts';
import styles from './settings-panel.module.css';

interface ColorFieldProps {
  readonly label: string;
  readonly value: Rgb;
  readonly onColor: (color: Rgb) => void;
}

export function ColorField({ label, value, onColor }: ColorFieldProps) {
  return (
    <label className={styles.labelledControl}>
      <span className={styles.legend}>{label}</span>
      <input
        className={styles.color}
        type="color"
        value={hexadecimal(value)}
        onChange={(event) => onColor(colorOf(event.currentTarget.value))}
      />
    </label>
  );
}

/** Returns a colour as `#rrggbb`, the value of a colour field. */
function hexadecimal(color: Rgb): string {
  return `#${color.map((sample) => sample.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the colour of a value `#rrggbb`. */
function colorOf(value: string): Rgb {
  const number = Number.parseInt(value.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
