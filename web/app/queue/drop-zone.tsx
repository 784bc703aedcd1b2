// The empty list. It offers every way to add images.

import { FORMATS, READABLE_FORMATS } from '../../domain/formats.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Button } from '../ui/index.ts';
import { AddButton } from './add-button.tsx';
import styles from './drop-zone.module.css';
import { useFilePicker } from './file-picker.tsx';
import { fromClipboard } from './intake.ts';

/** The names of formats that many users have and that cannot be opened. */
const NOT_YET = ['RAW'];

export function DropZone() {
  const { pickFolder } = useFilePicker();
  const { t } = useWords();
  return (
    <section className={styles.zone} aria-label={t('add.region')}>
      <Drawing />
      <AddButton label="add.select" icon="add" tone="primary" size="large" />
      <div className={styles.hints}>
        <p className={styles.drop}>{t('add.drop')}</p>
        <p className={styles.keyboard}>{t('add.pasteHint')}</p>
        <PasteButton />
      </div>
      <ul className={styles.formats} aria-label={t('add.formats')}>
        {READABLE_FORMATS.map((format) => (
          <li key={format}>{FORMATS[format].name}</li>
        ))}
      </ul>
      <p className={styles.later}>{t('add.notYet', { formats: NOT_YET.join(t('footer.separator')) })}</p>
      <Button tone="quiet" size="small" icon="folder" onClick={pickFolder}>
        {t('add.folder')}
      </Button>
    </section>
  );
}

/** A Paste button; on touch screens it replaces the hint about ctrl+v. */
function PasteButton() {
  const session = useSession();
  const { t } = useWords();
  const paste = () => session.addPasted(fromClipboard(navigator.clipboard, t('add.pastedDrawing')));
  return (
    <div className={styles.paste}>
      <Button size="small" icon="paste" onClick={() => void paste()}>
        {t('add.paste')}
      </Button>
    </div>
  );
}

/** The illustration: a large image and a small one. */
function Drawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 168 104" aria-hidden="true" focusable="false">
      <rect className={styles.large} x="2" y="2" width="124" height="93" rx="9" />
      <circle className={styles.sun} cx="95" cy="28" r="9" />
      <path
        className={styles.hill}
        d="M2.5 82l32-34c3-3 7-3 10 0l25 27 13-13c3-3 7-3 10 0l33 31.5A9 9 0 0 1 117 95H11a9 9 0 0 1-8.5-13z"
      />
      <rect className={styles.small} x="102" y="56" width="64" height="46" rx="7" />
      <path className={styles.arrow} d="M121 88l26-19M133.5 68H148v13.5" />
    </svg>
  );
}
