// A button with the label of an action, enabled if the action is enabled.

import { useWords } from '../i18n/index.ts';
import { useSession } from './session-context.ts';
import type { Action } from './state/actions.ts';
import { Button, type ButtonTone, type IconName } from './ui/index.ts';
import { useSignal } from './use-signal.ts';

interface ActionButtonProps {
  readonly action: Action;
  readonly tone?: ButtonTone;
  readonly size?: 'small' | 'medium' | 'large';
  readonly icon?: IconName;
}

export function ActionButton({ action, ...looks }: ActionButtonProps) {
  const session = useSession();
  const view = useSignal(session.view);
  const { t } = useWords();
  return (
    <Button {...looks} disabled={!action.enabled(view)} onClick={() => action.run(session)}>
      {t(action.label)}
    </Button>
  );
}
