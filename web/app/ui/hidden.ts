// Classes for content that is not visible: text for screen readers, and file inputs.
import styles from './hidden.module.css';

export const { hidden, hiddenWhenNarrow } = styles;
