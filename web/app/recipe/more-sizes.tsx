// The size modes that few images need.

import { useWords } from '../../i18n/index.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import styles from './settings-panel.module.css';
import { SizeField } from './size-field.tsx';
import { TurnField } from './turn-field.tsx';

/** The fields with their messages, which are loaded with them. */
export const MoreSizes = withLaterMessages(Fields);

function Fields() {
  const { t } = useWords();
  return (
    <>
      <div className={styles.fields}>
        <SizeField mode="shortest" unit={t('size.unit.px')} />
        <SizeField mode="megapixels" unit={t('size.unit.megapixels')} />
      </div>
      <div>
        <SizeField mode="widths" unit={t('size.unit.px')} />
        <p className={styles.hint}>{t('size.widths.note')}</p>
      </div>
      <TurnField />
    </>
  );
}
