// The fields for files with several images: the frames, pages and icon entries to use.

import { ENTRY_CHOICES, type EntryChoice } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { SelectField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { ChoiceField } from './choice-field.tsx';

export function FramesFields() {
  const { queue } = useSession();
  const { counts } = useSignal(queue.status);
  return (
    <>
      {counts.animated === 0 ? null : <ChoiceField name="frames" />}
      {counts.paged === 0 ? null : <ChoiceField name="pages" />}
      {counts.entries.length === 0 ? null : <Entries sides={counts.entries} />}
    </>
  );
}

/** The choice of icon entries, with the sizes that the added icons have. */
function Entries({ sides }: { readonly sides: readonly number[] }) {
  const { settings } = useSession();
  const { entries } = useSignal(settings.form);
  const { t } = useWords();
  // A size that was chosen for other icons stays in the list: each icon uses the closest entry.
  const known = typeof entries === 'number' && !sides.includes(entries) ? [...sides, entries] : sides;
  const choices: readonly EntryChoice[] = [...ENTRY_CHOICES, ...known];
  const labelOf = (choice: EntryChoice) =>
    typeof choice === 'number' ? t('item.pixels', { width: choice, height: choice }) : t(`entries.${choice}`);
  return (
    <SelectField
      label={t('entries.label')}
      value={String(entries)}
      options={choices.map((choice) => ({ value: String(choice), label: labelOf(choice) }))}
      onChoose={(value) => settings.change({ entries: choices.find((choice) => String(choice) === value) ?? entries })}
    />
  );
}
