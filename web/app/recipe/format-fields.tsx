// The fields for the format of the results and its quality.

import { useId } from 'react';
import { FORMATS, type Format, WRITABLE_FORMATS } from '../../domain/formats.ts';
import { outputFormats } from '../../domain/plan.ts';
import { MAX_QUALITY, type RecipeForm } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Counts } from '../state/counts.ts';
import { Choice, SelectField, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { ColorField } from './color-field.tsx';
import { FramesFields } from './frames-fields.tsx';
import { problemMessage } from './problems.ts';
import styles from './settings-panel.module.css';

/** The slider's value after Auto is turned off: the core's value for files of unknown quality. */
const FIRST_QUALITY = 85;

/** The fields with their messages, which are loaded with them. */
export const FormatFields = withLaterMessages(Fields);

function Fields() {
  const { settings, queue } = useSession();
  const form = useSignal(settings.form);
  const { format, lossless } = form;
  const { counts } = useSignal(queue.status);
  const { t } = useWords();
  const own = format === 'same' ? null : FORMATS[format].encoder.options;
  const ignoresQuality = own?.includes('lossless') && lossless === 'yes';
  const options = [
    { value: 'same' as const, label: t('format.same') },
    ...WRITABLE_FORMATS.map((value) => ({ value, label: FORMATS[value].name })),
  ];
  if (form.mode === 'appIcons') {
    return (
      <>
        <p className={styles.hint}>{t('format.appIcons')}</p>
        <Background />
      </>
    );
  }
  return (
    <>
      <SelectField
        label={t('format.label')}
        value={format}
        options={options}
        onChoose={(chosen) => settings.change({ format: chosen })}
      />
      {own === null || (own.includes('quality') && !ignoresQuality) ? (
        <>
          <Quality />
          <Limit />
        </>
      ) : null}
      {losesTransparency(form, counts) ? <Background /> : null}
      {hasSeveralFrames(counts) ? <FramesFields /> : null}
    </>
  );
}

/** Whether a file contains several frames, pages or icon entries. */
function hasSeveralFrames({ animated, paged, entries }: Counts): boolean {
  return animated + paged + entries.length > 0;
}

/** Whether a file that can have transparent areas, or gets them as borders, becomes a format that cannot have any. */
function losesTransparency(form: RecipeForm, { formats }: Counts): boolean {
  const { keepProportions, otherShape, transparentBorder } = form;
  const hasClearBorder = !keepProportions && otherShape === 'pad' && transparentBorder;
  return [...formats].some((source) => {
    // A source of a format that cannot be written keeps its transparency.
    const [format, ...others] = outputFormats(form, source);
    const isKept = others.length > 0 || isOpaque(source);
    return (hasClearBorder || !isKept) && format !== undefined && isOpaque(format);
  });
}

/** Whether the format is written without transparency, on a background. */
function isOpaque(format: Format): boolean {
  return FORMATS[format].encoder?.options.some((option) => option === 'background') ?? false;
}

function Background() {
  const { settings } = useSession();
  const { background } = useSignal(settings.form);
  const { t } = useWords();
  return (
    <ColorField
      label={t('format.background')}
      value={background}
      onColor={(chosen) => settings.change({ background: chosen })}
    />
  );
}

/** The field for the largest size of a file. */
function Limit() {
  const { settings } = useSession();
  const { fileLimit } = useSignal(settings.form);
  const problem = useSignal(settings.problems).find(({ field }) => field === 'fileLimit');
  const { t, rich } = useWords();
  const id = useId();
  return (
    <div>
      <TextField
        label={t('format.limit')}
        unit={t('format.limit.unit')}
        inputMode="decimal"
        enterKeyHint="done"
        value={fileLimit}
        problemId={problem === undefined ? undefined : id}
        aria-describedby={id}
        onText={(text) => settings.change({ fileLimit: text })}
      />
      <p id={id} className={problem === undefined ? styles.hint : styles.problem}>
        {problem === undefined ? t('format.limit.note') : rich(problemMessage(problem))}
      </p>
    </div>
  );
}

function Quality() {
  const { settings } = useSession();
  const { quality } = useSignal(settings.form);
  const { t } = useWords();
  const id = useId();
  const auto = quality === 'auto';
  return (
    <div className={styles.labelledControl}>
      <label className={styles.legend} htmlFor={id}>
        {t('format.quality')}
      </label>
      <Choice
        type="checkbox"
        checked={auto}
        onChecked={(on) => settings.change({ quality: on ? 'auto' : FIRST_QUALITY })}
      >
        {t('format.quality.auto')}
      </Choice>
      <input
        id={id}
        className={styles.slider}
        type="range"
        min={1}
        max={MAX_QUALITY}
        value={auto ? FIRST_QUALITY : quality}
        data-auto={auto}
        aria-valuetext={auto ? t('format.quality.auto') : String(quality)}
        onChange={(event) => settings.change({ quality: event.currentTarget.valueAsNumber })}
      />
      {auto ? (
        <p className={styles.hint}>{t('format.quality.note')}</p>
      ) : (
        <output className={styles.value} htmlFor={id}>
          {quality}
        </output>
      )}
    </div>
  );
}
