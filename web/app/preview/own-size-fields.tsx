// The size of this image alone, in its preview.

import { useId, useState } from 'react';
import { readOwnSize, type TypedSides, typedSides } from '../../domain/own-size.ts';
import { sourceSize } from '../../domain/plan.ts';
import { useWords } from '../../i18n/index.ts';
import { problemMessage } from '../recipe/index.ts';
import { useSession } from '../session-context.ts';
import { type Item, recipeOf } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { planFailure, planOf } from '../state/item-plan.ts';
import { planFailureMessage } from '../state/plan-messages.ts';
import { Button, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import styles from './preview.module.css';

export function OwnSizeFields({ handle }: { readonly handle: ItemHandle }) {
  const { queue, settings } = useSession();
  const { density } = useSignal(settings.form);
  const item = useSignal(handle.item);
  const [typed, setTyped] = useState<TypedSides>(() => typedSides(item.ownSize ?? null));
  // React must not close it again when the fields are emptied.
  const [wasOpen] = useState(item.ownSize != null);
  const noteId = useId();
  const { t, rich } = useWords();
  const reading = readOwnSize(typed, density);
  const problems = 'problems' in reading ? reading.problems : [];
  const [problem] = problems;
  const next = usePlan(item)?.size;
  function change(part: Partial<TypedSides>) {
    const sides = { ...typed, ...part };
    setTyped(sides);
    const read = readOwnSize(sides, density);
    if ('size' in read) queue.setOwnSize(item.id, read.size);
  }
  const fieldOf = (name: 'width' | 'height') => ({
    label: t(`size.${name}`),
    name: t('size.inPixels', { label: t(`size.${name}`) }),
    unit: t('size.unit.px'),
    inputMode: 'decimal' as const,
    enterKeyHint: 'done' as const,
    placeholder: next === undefined ? t('size.auto') : String(next[name]),
    value: typed[name],
    problemId: problems.some(({ field }) => field === name) ? noteId : undefined,
    'aria-describedby': noteId,
    onText: (text: string) => change({ [name]: text }),
  });
  return (
    <details className={styles.ownSize} open={wasOpen}>
      <summary>{t('preview.ownSize')}</summary>
      <div className={styles.ownFields}>
        <TextField {...fieldOf('width')} />
        <TextField {...fieldOf('height')} />
        <Button aria-disabled={item.ownSize == null} onClick={() => change({ width: '', height: '' })}>
          {t('note.useCommonSize')}
        </Button>
      </div>
      <p id={noteId} className={styles.ownNote} data-problem={problem !== undefined}>
        {problem === undefined ? <Sizes item={item} /> : rich(problemMessage(problem))}
      </p>
    </details>
  );
}

/** `1600 × 1200 → 300 × 225`, or why the image cannot have this size. */
function Sizes({ item }: { readonly item: Item }) {
  const { t, rich } = useWords();
  const plan = usePlan(item);
  if (item.info === null || plan === null) return null;
  if (plan.kind === 'huge' || plan.kind === 'too-long') return rich(planFailureMessage(planFailure(plan)));
  return (
    <>
      {t('item.pixels', { ...sourceSize(item.info, plan) })} → <strong>{t('item.pixels', { ...plan.size })}</strong>
    </>
  );
}

function usePlan(item: Item) {
  const { settings } = useSession();
  return planOf(item, recipeOf(item, useSignal(settings.recipe)));
}
