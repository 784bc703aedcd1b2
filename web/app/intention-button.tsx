// A button that renders an intention: its words, and whether it is possible now.

import { useWords } from '../i18n/index.ts';
import { useCell } from './cell.ts';
import type { Intention } from './intentions.ts';
import { useSession } from './session-context.ts';
import { Button, type ButtonTone, type IconName } from './ui/index.ts';

interface IntentionButtonProps {
  readonly intention: Intention;
  readonly tone?: ButtonTone;
  readonly size?: 'small' | 'medium' | 'large';
  readonly icon?: IconName;
}

export function IntentionButton({ intention, ...looks }: IntentionButtonProps) {
  const session = useSession();
  const view = useCell(session.view);
  const { t } = useWords();
  return (
    <Button {...looks} disabled={!intention.enabled(view)} onClick={() => intention.run(session)}>
      {t(intention.label)}
    </Button>
  );
}
