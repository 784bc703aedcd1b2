// A field of the size card.

import type { SizeFieldName } from '../../domain/form.ts';
import type { OneFieldMode } from '../../domain/settings.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Example } from '../state/plans.ts';
import { TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';

/** The id of the element with the effect of the settings or their problem. */
export const SIZE_NOTE = 'size-note';

/** Returns what all size fields have in common. */
export function useSizeField() {
  const { queue, settings } = useSession();
  const follow = followers(useSignal(queue.example));
  const problems = useSignal(settings.problems);
  const { t } = useWords();
  return (name: SizeFieldName) => ({
    inputMode: 'decimal' as const,
    enterKeyHint: 'done' as const,
    placeholder: follow[name] ?? t('size.auto'),
    problemId: problems.some((problem) => problem.field === name) ? SIZE_NOTE : undefined,
    'aria-describedby': SIZE_NOTE,
  });
}

interface SizeFieldProps {
  readonly mode: OneFieldMode;
  readonly unit: string;
}

/** The field of a size mode that has one field. */
export function SizeField({ mode, unit }: SizeFieldProps) {
  const { settings } = useSession();
  const form = useSignal(settings.form);
  const field = useSizeField();
  const { t } = useWords();
  const label = t(`size.${mode}`);
  const inUse = form.mode === mode;
  return (
    <TextField
      {...field(mode)}
      label={label}
      name={unit === t('size.unit.px') ? t('size.inPixels', { label }) : undefined}
      unit={unit}
      inUse={inUse}
      value={inUse ? form[mode] : ''}
      onText={(text) => settings.change(text === '' ? { mode: 'sides' } : { mode, [mode]: text })}
    />
  );
}

/** Returns the resulting values for the example, shown in the fields of the other size modes. */
function followers(example: Example | null): Readonly<Partial<Record<SizeFieldName, string>>> {
  if (example === null) return {};
  const { from, plan } = example;
  const { width, height } = plan.size;
  const percent = Math.round((Math.max(width, height) / Math.max(from.width, from.height)) * 1000) / 10;
  return {
    width: String(width),
    height: String(height),
    percent: String(percent),
    longest: String(Math.max(width, height)),
    shortest: String(Math.min(width, height)),
    megapixels: String(Math.round(width * height * 1e-4) / 100),
    widths: String(width),
  };
}
