// The advanced settings: resampling and the options of formats. The options of a format are shown if at least one
// result has that format.

import { FORMATS, type FormatOption, WRITABLE_FORMATS, type WritableFormat } from '../../domain/formats.ts';
import { outputFormats } from '../../domain/plan.ts';
import { ADVANCED_CHOICES, ICON_SIDES, type IconSide, type RecipeForm } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Counts } from '../state/counts.ts';
import { Choice } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { ChoiceField } from './choice-field.tsx';
import styles from './settings-panel.module.css';

/** The fields with their messages, which are loaded with them. */
export const AdvancedFields = withLaterMessages(Fields);

function Fields() {
  const { settings, queue } = useSession();
  const { counts } = useSignal(queue.status);
  const form = useSignal(settings.form);
  const written = writtenFormats(form, counts);
  return (
    <div className={styles.advanced}>
      {ADVANCED_CHOICES.filter((name) => !isFormatOption(name)).map((name) => (
        <ChoiceField key={name} name={name} />
      ))}
      {written.map((format) => (
        <FormatOptions key={format} format={format} />
      ))}
    </div>
  );
}

function FormatOptions({ format }: { readonly format: WritableFormat }) {
  const { name, encoder } = FORMATS[format];
  const choices = ADVANCED_CHOICES.filter((choice) => has(encoder.options, choice));
  return (
    <>
      {choices.map((choice) => (
        <ChoiceField key={choice} name={choice} labelValues={{ format: name }} />
      ))}
      {has(encoder.options, 'iconSizes') ? <IconSizes /> : null}
    </>
  );
}

/** Returns the formats that results can have, in the order of the table. */
function writtenFormats(form: RecipeForm, { formats }: Counts): readonly WritableFormat[] {
  const written = new Set([...formats].flatMap((format) => outputFormats(form, format)));
  if (form.format !== 'same') written.add(form.format);
  return WRITABLE_FORMATS.filter((format) => written.has(format));
}

function isFormatOption(name: string): boolean {
  return WRITABLE_FORMATS.some((format) => has(FORMATS[format].encoder.options, name));
}

function has(options: readonly FormatOption[], name: string): boolean {
  return options.some((option) => option === name);
}

/**
 * Auto, or one checkbox for each size; Auto is checked if no size is. The set of checkboxes never changes, because one
 * of them has the focus.
 */
function IconSizes() {
  const { settings } = useSession();
  const { iconSizes } = useSignal(settings.form);
  const { t } = useWords();
  const isAuto = iconSizes.length === 0;
  const choose = (side: IconSide, on: boolean) =>
    settings.change({ iconSizes: ICON_SIDES.filter((one) => (one === side ? on : iconSizes.includes(one))) });
  return (
    <fieldset>
      <legend className={styles.legend}>{t('icon.label')}</legend>
      <Choice
        type="checkbox"
        checked={isAuto}
        onChecked={(on) => settings.change({ iconSizes: on ? [] : [...ICON_SIDES] })}
      >
        {t('icon.auto')}
      </Choice>
      <div className={styles.sides}>
        {ICON_SIDES.map((side) => (
          <Choice key={side} type="checkbox" checked={iconSizes.includes(side)} onChecked={(on) => choose(side, on)}>
            {side}
          </Choice>
        ))}
      </div>
      <p className={styles.hint}>{t('icon.note')}</p>
    </fieldset>
  );
}
