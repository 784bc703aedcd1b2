// What hardly anybody needs: how pixels are mixed, and how some formats are written. A format's own fields are there while
// some result will have it.

import type { RecipeForm } from '../../domain/form.ts';
import { FORMATS, type WritableFormat } from '../../domain/formats.ts';
import { ICON_SIDES, type IconSide } from '../../domain/icons.ts';
import { COMPRESSIONS, EFFORTS, KERNELS, LIGHTS } from '../../domain/job.ts';
import { outputFormat } from '../../domain/sizing.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Counts } from '../state/counts.ts';
import { Choice, SelectField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import styles from './settings-panel.module.css';

export function AdvancedFields() {
  const { settings, queue } = useSession();
  const { counts } = useSignal(queue.status);
  const form = useSignal(settings.form);
  const { t } = useWords();
  const written = writtenFormats(form, counts);
  return (
    <div className={styles['advanced']}>
      <SelectField
        label={t('kernel.label')}
        value={form.kernel}
        options={KERNELS.map((value) => ({ value, label: t(`kernel.${value}`) }))}
        onChoose={(kernel) => settings.change({ kernel })}
      />
      <SelectField
        label={t('light.label')}
        value={form.light}
        options={LIGHTS.map((value) => ({ value, label: t(`light.${value}`) }))}
        onChoose={(light) => settings.change({ light })}
      />
      {written.has('png') ? (
        <SelectField
          label={t('effort.label', { format: FORMATS.png.name })}
          value={form.effort}
          options={EFFORTS.map((value) => ({ value, label: t(`effort.${value}`) }))}
          onChoose={(effort) => settings.change({ effort })}
        />
      ) : null}
      {written.has('tiff') ? (
        <SelectField
          label={t('compression.label', { format: FORMATS.tiff.name })}
          value={form.compression}
          options={COMPRESSIONS.map((value) => ({ value, label: t(`compression.${value}`) }))}
          onChoose={(compression) => settings.change({ compression })}
        />
      ) : null}
      {written.has('ico') ? <IconSizes /> : null}
    </div>
  );
}

/** The formats that results can have. */
function writtenFormats(form: RecipeForm, { formats }: Counts): ReadonlySet<WritableFormat> {
  if (form.format !== 'same') return new Set([form.format]);
  return new Set([...formats].map((format) => outputFormat(form, { format })));
}

/** Auto, or a tick for each size; without any tick it is Auto again. No box comes or goes: one of them has the focus. */
function IconSizes() {
  const { settings } = useSession();
  const { iconSizes } = useSignal(settings.form);
  const { t } = useWords();
  const isAuto = iconSizes.length === 0;
  const choose = (side: IconSide, on: boolean) =>
    settings.change({ iconSizes: ICON_SIDES.filter((one) => (one === side ? on : iconSizes.includes(one))) });
  return (
    <fieldset>
      <legend className={styles['legend']}>{t('icon.label')}</legend>
      <Choice
        type="checkbox"
        checked={isAuto}
        onChecked={(on) => settings.change({ iconSizes: on ? [] : [...ICON_SIDES] })}
      >
        {t('icon.auto')}
      </Choice>
      <div className={styles['sides']}>
        {ICON_SIDES.map((side) => (
          <Choice key={side} type="checkbox" checked={iconSizes.includes(side)} onChecked={(on) => choose(side, on)}>
            {side}
          </Choice>
        ))}
      </div>
      <p className={styles['hint']}>{t('icon.note')}</p>
    </fieldset>
  );
}
