// A button with the label of an action, enabled if the action is enabled.

import { useRef } from 'react';
import { useWords } from '../i18n/index.ts';
import { useSession } from './session-context.ts';
import type { Action } from './state/actions.ts';
import { Button, type ButtonTone, type IconName } from './ui/index.ts';
import { useSignal } from './use-signal.ts';

/** The time in milliseconds after a click in which another click is part of a double click, double tap or double Enter. */
const DOUBLE_CLICK = 500;

interface ActionButtonProps {
  readonly action: Action;
  readonly tone?: ButtonTone;
  readonly size?: 'small' | 'medium' | 'large';
  readonly icon?: IconName;
}

export function ActionButton({ action, ...looks }: ActionButtonProps) {
  const session = useSession();
  const view = useSignal(session.view);
  const lastClick = useRef(Number.NEGATIVE_INFINITY);
  const { t } = useWords();
  const enabled = action.enabled(view);
  return (
    <Button
      {...looks}
      // Not `disabled`: a focused button that becomes disabled loses the focus.
      aria-disabled={!enabled}
      onClick={({ timeStamp }) => {
        const isRepeat = timeStamp - lastClick.current < DOUBLE_CLICK;
        lastClick.current = timeStamp;
        if (enabled && !isRepeat) action.run(session);
      }}
    >
      {t(action.label)}
    </Button>
  );
}
