// Classes for content that only screen readers and file inputs need.
import styles from './hidden.module.css';

export const { hidden, hiddenWhenNarrow } = styles;
