// The size modes that few images need.

import { withUnit } from '../../domain/form.ts';
import { UNITS } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Choice, SelectField, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import styles from './settings-panel.module.css';
import { SIZE_NOTE, SizeField } from './size-field.tsx';
import { TurnField } from './turn-field.tsx';

/** The fields with their messages, which are loaded with them. */
export const MoreSizes = withLaterMessages(Fields);

function Fields() {
  const { settings } = useSession();
  const form = useSignal(settings.form);
  const { t } = useWords();
  return (
    <>
      <div className={styles.fields}>
        <SizeField mode="shortest" />
        <SizeField mode="megapixels" unit={t('size.unit.megapixels')} />
      </div>
      <div>
        <SizeField mode="widths" unit={t('size.unit.px')} />
        <p className={styles.hint}>{t('size.widths.note')}</p>
      </div>
      <div>
        <Choice
          type="checkbox"
          checked={form.mode === 'appIcons'}
          onChecked={(checked) => settings.change({ mode: checked ? 'appIcons' : 'sides' })}
        >
          {t('size.appIcons')}
        </Choice>
        <p className={styles.hint}>{t('size.appIcons.note')}</p>
      </div>
      <UnitField />
      <Density />
      <TurnField />
    </>
  );
}

/** The unit of the fields of lengths. A phone's keyboard for numbers has no letters. */
function UnitField() {
  const { settings } = useSession();
  const form = useSignal(settings.form);
  const { t } = useWords();
  return (
    <SelectField
      label={t('size.unit')}
      value={form.unit}
      options={UNITS.map((value) => ({ value, label: t(`size.unit.${value}`) }))}
      onChoose={(unit) => settings.change(withUnit(form, unit))}
    />
  );
}

/** The field for the density that results state. */
function Density() {
  const { settings } = useSession();
  const { density } = useSignal(settings.form);
  const used = useSignal(settings.recipe)?.density;
  const hasProblem = useSignal(settings.problems).some(({ field }) => field === 'density');
  const { t } = useWords();
  return (
    <div>
      <TextField
        label={t('size.density')}
        name={t('size.density.name')}
        inputMode="decimal"
        enterKeyHint="done"
        placeholder={used === undefined || used === null ? t('size.density.kept') : String(used)}
        value={density}
        problemId={hasProblem ? SIZE_NOTE : undefined}
        aria-describedby={SIZE_NOTE}
        onText={(text) => settings.change({ density: text })}
      />
      <p className={styles.hint}>{t('size.density.note')}</p>
    </div>
  );
}
