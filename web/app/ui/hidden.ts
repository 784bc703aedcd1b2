// The class of what is there for screen readers and for the file input, and not on the screen.
import styles from './hidden.module.css';

export const hidden = styles.hidden;
