import styles from './cut-name.module.css';

/** The characters at the end of a name that stay visible. Cameras put the number there, and the extension follows. */
const NAME_END = 12;

/** The name of a file on one line. A long one is cut in the middle. */
export function CutName({ name }: { readonly name: string }) {
  const characters = [...name];
  return (
    <span className={styles.name}>
      <span className={styles.beginning}>{characters.slice(0, -NAME_END).join('')}</span>
      <span className={styles.end}>{characters.slice(-NAME_END).join('')}</span>
    </span>
  );
}
