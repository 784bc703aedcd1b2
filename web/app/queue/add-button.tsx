// The buttons that open the browser's file dialog: Select Image and Add images.

import { type MessageKey, useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { Button, type ButtonTone, type IconName, useHydrated } from '../ui/index.ts';
import { useFilePicker } from './file-picker.tsx';
import { ADD_BUTTON } from './focus.ts';

interface AddButtonProps {
  readonly label: MessageKey;
  readonly icon: IconName;
  readonly tone?: ButtonTone;
  readonly size?: 'small' | 'medium' | 'large';
}

export function AddButton({ label, ...looks }: AddButtonProps) {
  const { pickFiles } = useFilePicker();
  const session = useSession();
  const { t } = useWords();
  const live = useHydrated();
  return (
    <Button
      {...looks}
      {...ADD_BUTTON}
      disabled={!live}
      data-early={!live}
      onClick={pickFiles}
      onPointerEnter={() => session.warmUp()}
    >
      {t(label)}
    </Button>
  );
}
