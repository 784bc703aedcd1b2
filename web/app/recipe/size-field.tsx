// A field of the size card.

import { pixelsPer, type SizeFieldName } from '../../domain/form.ts';
import type { OneFieldMode, Unit } from '../../domain/settings.ts';
import { useWords, type Words } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Example } from '../state/plans.ts';
import { TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';

/** The id of the element with the effect of the settings or their problem. */
export const SIZE_NOTE = 'size-note';

/** Returns what all size fields have in common. */
export function useSizeField() {
  const { queue, settings } = useSession();
  const form = useSignal(settings.form);
  const follow = followers(useSignal(queue.example), form.unit, useSignal(settings.recipe)?.density ?? null);
  const problems = useSignal(settings.problems);
  const { t } = useWords();
  return (name: SizeFieldName) => ({
    inputMode: 'decimal' as const,
    enterKeyHint: 'done' as const,
    placeholder: follow[name] ?? t('size.auto'),
    ...(isLength(name) ? lengthIn(form.unit, t(`size.${name}`), t) : {}),
    problemId: problems.some((problem) => problem.field === name) ? SIZE_NOTE : undefined,
    'aria-describedby': SIZE_NOTE,
  });
}

type LengthField = 'width' | 'height' | 'longest' | 'shortest';

function isLength(name: SizeFieldName): name is LengthField {
  return name === 'width' || name === 'height' || name === 'longest' || name === 'shortest';
}

/** Returns the unit of a field and its name with the unit. */
function lengthIn(unit: Unit, label: string, t: Words['t']) {
  if (unit === 'px') return { unit: t('size.unit.px'), name: t('size.inPixels', { label }) };
  return { unit: t(`size.unit.${unit}`), name: `${label}, ${t(`size.unit.${unit}`)}` };
}

interface SizeFieldProps {
  readonly mode: OneFieldMode;
  /** The unit, unless it is that of lengths. */
  readonly unit?: string;
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
      {...(unit === undefined ? {} : { unit })}
      inUse={inUse}
      value={inUse ? form[mode] : ''}
      onText={(text) => settings.change(text === '' ? { mode: 'sides' } : { mode, [mode]: text })}
    />
  );
}

/** Returns the resulting values for the example, shown in the fields of the other size modes. */
function followers(
  example: Example | null,
  unit: Unit,
  density: number | null,
): Readonly<Partial<Record<SizeFieldName, string>>> {
  if (example === null) return {};
  const { from, plan } = example;
  const { width, height } = plan.size;
  const percent = Math.round((Math.max(width, height) / Math.max(from.width, from.height)) * 1000) / 10;
  const pixels = pixelsPer(unit, density);
  const length = (side: number) => String(unit === 'px' ? side : Math.round((side / pixels) * 10) / 10);
  return {
    width: length(width),
    height: length(height),
    percent: String(percent),
    longest: length(Math.max(width, height)),
    shortest: length(Math.min(width, height)),
    megapixels: String(Math.round(width * height * 1e-4) / 100),
    widths: String(width),
  };
}
