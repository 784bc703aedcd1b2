// The fields for the metadata that results keep.

import { SETTINGS } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Choice } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import styles from './settings-panel.module.css';

/** The fields with their messages, which are loaded with them. */
export const MetadataFields = withLaterMessages(Fields);

function Fields() {
  const { settings } = useSession();
  const { metadata } = useSignal(settings.form);
  const { t } = useWords();
  return (
    <fieldset className={styles.policies}>
      <legend className={styles.legend}>{t('metadata.label')}</legend>
      {SETTINGS.metadata.values.map((policy) => (
        <Choice
          key={policy}
          type="radio"
          name="metadata"
          checked={policy === metadata}
          onChecked={() => settings.change({ metadata: policy })}
        >
          {t(`metadata.${policy}`)}
        </Choice>
      ))}
      <p className={styles.hint}>{t('metadata.note')}</p>
    </fieldset>
  );
}
