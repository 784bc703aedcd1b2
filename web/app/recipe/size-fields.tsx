// The size fields. Typing into a field chooses its size mode; the other fields show the resulting values.

import { useId } from 'react';
import type { FieldName } from '../../domain/form.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Example } from '../state/plans.ts';
import { Chunk, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { sizeEffectChunk } from './chunks.ts';
import { problemMessage } from './problems.ts';
import styles from './settings-panel.module.css';

export function SizeFields() {
  const { queue, settings } = useSession();
  const example = useSignal(queue.example);
  const form = useSignal(settings.form);
  const problems = useSignal(settings.problems);
  const noteId = useId();
  const { t } = useWords();
  const follow = followers(example);
  const field = (name: FieldName) => ({
    inputMode: 'decimal' as const,
    enterKeyHint: 'done' as const,
    placeholder: follow[name] ?? t('size.auto'),
    problemId: problems.some((problem) => problem.field === name) ? noteId : undefined,
    'aria-describedby': noteId,
  });
  const sides = form.mode === 'sides';
  return (
    <>
      <div className={styles.fields}>
        <TextField
          {...field('width')}
          label={t('size.width')}
          name={t('size.inPixels', { label: t('size.width') })}
          unit={t('size.unit.px')}
          inUse={sides}
          value={sides ? form.width : ''}
          onText={(width) => settings.change({ mode: 'sides', width, ...(sides ? {} : { height: '' }) })}
        />
        <TextField
          {...field('height')}
          label={t('size.height')}
          name={t('size.inPixels', { label: t('size.height') })}
          unit={t('size.unit.px')}
          inUse={sides}
          value={sides ? form.height : ''}
          onText={(height) => settings.change({ mode: 'sides', height, ...(sides ? {} : { width: '' }) })}
        />
        <TextField
          {...field('percent')}
          label={t('size.percent')}
          unit={t('size.unit.percent')}
          inUse={form.mode === 'percent'}
          value={form.mode === 'percent' ? form.percent : ''}
          onText={(percent) => settings.change(percent === '' ? { mode: 'sides' } : { mode: 'percent', percent })}
        />
        <TextField
          {...field('longest')}
          label={t('size.longest')}
          name={t('size.inPixels', { label: t('size.longest') })}
          unit={t('size.unit.px')}
          inUse={form.mode === 'longest'}
          value={form.mode === 'longest' ? form.longest : ''}
          onText={(longest) => settings.change(longest === '' ? { mode: 'sides' } : { mode: 'longest', longest })}
        />
      </div>
      <SizeNote id={noteId} example={example} />
    </>
  );
}

/** The problem of the form if there is one, otherwise the effect of the settings. */
function SizeNote({ id, example }: { readonly id: string; readonly example: Example | null }) {
  const [problem] = useSignal(useSession().settings.problems);
  const { t, rich } = useWords();
  const help = <p>{t('size.help')}</p>;
  return (
    <div
      id={id}
      className={styles.note}
      data-problem={problem !== undefined || (example !== null && hasFailed(example))}
    >
      {problem !== undefined ? (
        <p>{rich(problemMessage(problem))}</p>
      ) : example === null ? (
        help
      ) : (
        <Chunk of={sizeEffectChunk} fallback={help} />
      )}
    </div>
  );
}

/** Whether the example cannot have the requested size. */
function hasFailed({ plan }: Example): boolean {
  return plan.kind !== 'resize' && plan.kind !== 'kept';
}

/** Returns the resulting values for the example, shown in the fields of the other size modes. */
function followers(example: Example | null): Readonly<Partial<Record<FieldName, string>>> {
  if (example === null) return {};
  const { from, plan } = example;
  const { width, height } = plan.size;
  const percent = Math.round((Math.max(width, height) / Math.max(from.width, from.height)) * 1000) / 10;
  return {
    width: String(width),
    height: String(height),
    percent: String(percent),
    longest: String(Math.max(width, height)),
  };
}
