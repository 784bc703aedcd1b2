// The fields for the format of the results and its quality.

import { useId } from 'react';
import { FORMATS, WRITABLE_FORMATS } from '../../domain/formats.ts';
import { MAX_QUALITY } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Counts } from '../state/counts.ts';
import { Choice, SelectField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { FramesFields } from './frames-fields.tsx';
import styles from './settings-panel.module.css';

/** The slider's value after Auto is turned off: the core's value for files of unknown quality. */
const FIRST_QUALITY = 85;

/** The fields with their messages, which are loaded with them. */
export const FormatFields = withLaterMessages(Fields);

function Fields() {
  const { settings, queue } = useSession();
  const { format, lossless } = useSignal(settings.form);
  const { counts } = useSignal(queue.status);
  const { t } = useWords();
  const own = format === 'same' ? null : FORMATS[format].encoder.options;
  const ignoresQuality = own?.includes('lossless') && lossless === 'yes';
  const options = [
    { value: 'same' as const, label: t('format.same') },
    ...WRITABLE_FORMATS.map((value) => ({ value, label: FORMATS[value].name })),
  ];
  return (
    <>
      <SelectField
        label={t('format.label')}
        value={format}
        options={options}
        onChoose={(chosen) => settings.change({ format: chosen })}
      />
      {own === null || (own.includes('quality') && !ignoresQuality) ? <Quality /> : null}
      {hasSeveralFrames(counts) ? <FramesFields /> : null}
    </>
  );
}

/** Whether a file contains several frames, pages or icon entries. */
function hasSeveralFrames({ animated, paged, entries }: Counts): boolean {
  return animated + paged + entries.length > 0;
}

function Quality() {
  const { settings } = useSession();
  const { quality } = useSignal(settings.form);
  const { t } = useWords();
  const id = useId();
  const auto = quality === 'auto';
  return (
    <div className={styles.quality}>
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
