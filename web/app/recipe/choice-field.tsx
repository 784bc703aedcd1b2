// A select field for a setting with a fixed list of values. The field follows from the setting's row and its texts.

import { type ChoiceIn, type RecipeForm, SETTINGS } from '../../domain/settings.ts';
import { type MessageKey, type MessageValues, useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { SelectField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';

type ChoiceName = ChoiceIn<'advanced'> | 'frames' | 'pages';

/** The keys of the texts. A value without a text does not compile: see `choiceKey`. */
type ChoiceKey = { [N in ChoiceName]: `${N}.label` | `${N}.${RecipeForm[N]}` }[ChoiceName];

export interface ChoiceFieldProps {
  readonly name: ChoiceName;
  /** Values for the label's text. */
  readonly labelValues?: MessageValues;
}

export function ChoiceField({ name, labelValues }: ChoiceFieldProps) {
  const { settings } = useSession();
  const form = useSignal(settings.form);
  const { t } = useWords();
  const values: readonly string[] = SETTINGS[name].values;
  return (
    <SelectField
      label={t(choiceKey(name, 'label'), labelValues)}
      value={form[name]}
      options={values.map((value) => ({ value, label: t(choiceKey(name, value)) }))}
      onChoose={(value) => settings.change({ [name]: value })}
    />
  );
}

function choiceKey(name: ChoiceName, text: string): MessageKey {
  // TypeScript allows any combination of name and text; the cast narrows the type to the existing keys.
  const key = `${name}.${text}` as ChoiceKey;
  return key;
}
