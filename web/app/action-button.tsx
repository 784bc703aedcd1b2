// A button with the label of an action, enabled if the action is enabled.

import { useRef } from 'react';
import { useWords } from '../i18n/index.ts';
import { useSession } from './session-context.ts';
import type { Action } from './state/actions.ts';
import { Button, type ButtonTone, type IconName } from './ui/index.ts';
import { useSignal } from './use-signal.ts';

/** The time in milliseconds in which a second click, tap or Enter belongs to the first one. */
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
  const last = useRef({ action, time: Number.NEGATIVE_INFINITY });
  const { t } = useWords();
  const enabled = action.enabled(view);
  return (
    <Button
      {...looks}
      // Not `disabled`: a focused button that becomes disabled loses the focus.
      aria-disabled={!enabled}
      onClick={({ detail, timeStamp: time }) => {
        // The second click of a double click, also where the button means something else by then.
        const isSecond = detail > 1 || (action !== last.current.action && time - last.current.time < DOUBLE_CLICK);
        if (!enabled || isSecond) return;
        last.current = { action, time };
        action.run(session);
      }}
    >
      {t(action.label)}
    </Button>
  );
}
