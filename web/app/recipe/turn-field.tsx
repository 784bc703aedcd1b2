// The buttons that turn and mirror all images.

import { useId } from 'react';
import { MIRROR, MIRROR_VERTICALLY, NO_TURN, ROTATE_LEFT, ROTATE_RIGHT, turnThen } from '../../domain/turns.ts';
import { type MessageKey, useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Button, IconButton, type IconName } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import styles from './turn-field.module.css';

const STEPS = [
  { turn: ROTATE_LEFT, icon: 'retry', label: 'turn.left', look: styles.mirrored },
  { turn: ROTATE_RIGHT, icon: 'retry', label: 'turn.right', look: undefined },
  { turn: MIRROR, icon: 'mirror', label: 'turn.mirror', look: undefined },
  { turn: MIRROR_VERTICALLY, icon: 'mirror', label: 'turn.mirrorVertically', look: styles.lying },
] as const satisfies readonly { icon: IconName; label: MessageKey; [name: string]: unknown }[];

export function TurnField() {
  const { settings } = useSession();
  const { turn } = useSignal(settings.form);
  const { t } = useWords();
  const id = useId();
  return (
    <fieldset className={styles.field} aria-describedby={id}>
      <legend className={styles.legend}>{t('turn.label')}</legend>
      {STEPS.map((step) => (
        <span key={step.label} className={step.look}>
          <IconButton
            icon={step.icon}
            label={t(step.label)}
            onClick={() => settings.change({ turn: turnThen(turn, step.turn) })}
          />
        </span>
      ))}
      <span id={id} className={styles.current} aria-live="polite">
        {t(`turn.${turn}`)}
      </span>
      {turn === NO_TURN ? null : (
        <Button tone="quiet" size="small" onClick={() => settings.change({ turn: NO_TURN })}>
          {t('turn.reset')}
        </Button>
      )}
    </fieldset>
  );
}
