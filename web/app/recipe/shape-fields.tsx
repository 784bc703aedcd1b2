// The fields of a chosen fit: the focus of a crop, or the colour of added borders.

import type { KeyboardEvent } from 'react';
import { focusPercent } from '../../domain/focus.ts';
import { FOCUSES, isFreeFocus } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Choice } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { ColorField } from './color-field.tsx';
import styles from './shape-fields.module.css';

/** The fields with their messages, which are loaded with them. */
export const ShapeFields = withLaterMessages(Fields);

function Fields() {
  const { settings } = useSession();
  const { otherShape } = useSignal(settings.form);
  return otherShape === 'cover' ? <FocusField /> : otherShape === 'pad' ? <BorderFields /> : null;
}

const COLUMNS = 3;

/** Returns the column and row steps of an arrow key. */
function stepOf(key: string): readonly [number, number] | null {
  switch (key) {
    case 'ArrowLeft':
      return [-1, 0];
    case 'ArrowRight':
      return [1, 0];
    case 'ArrowUp':
      return [0, -1];
    case 'ArrowDown':
      return [0, 1];
    default:
      return null;
  }
}

/** A grid of radio buttons. Arrow keys move in their direction and stop at the edges. */
function FocusField() {
  const { settings } = useSession();
  const { focus } = useSignal(settings.form);
  const [x, y] = focusPercent(focus);
  const { t } = useWords();
  const move = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    const step = stepOf(event.key);
    if (step === null) return;
    event.preventDefault();
    const column = (at % COLUMNS) + step[0];
    const row = Math.floor(at / COLUMNS) + step[1];
    const next = column < 0 || column >= COLUMNS ? undefined : FOCUSES[row * COLUMNS + column];
    if (next === undefined) return;
    settings.change({ focus: next });
    event.currentTarget.parentElement?.querySelector<HTMLInputElement>(`[value='${next}']`)?.focus();
  };
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>{t('focus.label')}</legend>
      <div className={styles.grid}>
        {FOCUSES.map((place, i) => (
          <input
            key={place}
            className={styles.place}
            type="radio"
            name="focus"
            value={place}
            aria-label={t(`focus.${place}`)}
            title={t(`focus.${place}`)}
            checked={place === focus}
            onKeyDown={(event) => move(event, i)}
            onChange={() => settings.change({ focus: place })}
          />
        ))}
      </div>
      <p className={styles.hint}>
        {isFreeFocus(focus) ? t('focus.free', { x: x / 100, y: y / 100 }) : t('focus.note')}
      </p>
    </fieldset>
  );
}

function BorderFields() {
  const { settings } = useSession();
  const { borderColor, transparentBorder } = useSignal(settings.form);
  const { t } = useWords();
  return (
    <div className={styles.field}>
      {transparentBorder ? null : (
        <ColorField
          label={t('border.color')}
          value={borderColor}
          onColor={(color) => settings.change({ borderColor: color })}
        />
      )}
      <Choice
        type="checkbox"
        checked={transparentBorder}
        onChecked={(chosen) => settings.change({ transparentBorder: chosen })}
      >
        {t('border.transparent')}
      </Choice>
      {transparentBorder ? <p className={styles.hint}>{t('border.note')}</p> : null}
    </div>
  );
}
