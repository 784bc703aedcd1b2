// The size fields. Typing into a field chooses its size mode; the other fields show the resulting values.

import { useDeferredValue, useId } from 'react';
import type { FieldName } from '../../domain/form.ts';
import { type Message, useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { nameOf, planFailure } from '../state/item.ts';
import { planFailureMessage } from '../state/plan-messages.ts';
import { CHANGES, countChanges, type Example } from '../state/plans.ts';
import { Button, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
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
  const session = useSession();
  const problems = useSignal(session.settings.problems);
  const { t, rich } = useWords();
  const [problem] = problems;
  const message = problem === undefined ? exampleProblem(example) : problemMessage(problem);
  return (
    <div id={id} className={styles.note} data-problem={message !== null}>
      {message !== null ? (
        <p>{rich(message)}</p>
      ) : example === null ? (
        <p>{t('size.help')}</p>
      ) : (
        <>
          <p className={styles.example}>
            <span className={styles.exampleName}>{nameOf(example.item)}</span>
            <span className={styles.exampleSizes}>
              {t('item.pixels', { ...example.from })} → <strong>{t('item.pixels', { ...example.plan.size })}</strong>
            </span>
          </p>
          <ChangeCounts />
        </>
      )}
    </div>
  );
}

/** Returns the reason why the example cannot have the requested size. */
function exampleProblem(example: Example | null): Message | null {
  if (example === null || example.plan.kind === 'resize' || example.plan.kind === 'kept') return null;
  return planFailureMessage(planFailure(example.plan));
}

/**
 * `18 will shrink · 6 not resized`; shown for more than one image. If all images are smaller than the size and stay as
 * they are, a button allows enlarging.
 */
function ChangeCounts() {
  const { queue, settings } = useSession();
  const items = useSignal(queue.items);
  // Deferred: planning a thousand images must not delay typing.
  const recipe = useDeferredValue(useSignal(settings.recipe));
  const { t } = useWords();
  const counts = countChanges(items, recipe);
  const changes = CHANGES.filter((change) => counts[change] > 0);
  const total = changes.reduce((sum, change) => sum + counts[change], 0);
  return (
    <>
      {total < 2 ? null : (
        <p>{changes.map((change) => t(`size.count.${change}`, { count: counts[change] })).join(' · ')}</p>
      )}
      {counts.smaller < total ? null : (
        <p>
          {t('size.notEnlarged')}
          <Button tone="quiet" size="small" onClick={() => settings.change({ dontEnlarge: false })}>
            {t('size.enlarge')}
          </Button>
        </p>
      )}
    </>
  );
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
