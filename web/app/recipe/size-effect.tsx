// The problem of the settings, or their effect on the images: the first image as an example, and the number of images that change.

import { useDeferredValue } from 'react';
import type { Recipe } from '../../domain/recipe.ts';
import { useWords } from '../../i18n/index.ts';
import { CutName } from '../cut-name.tsx';
import { useSession } from '../session-context.ts';
import { nameOf } from '../state/item.ts';
import { planFailure } from '../state/item-plan.ts';
import { planFailureMessage } from '../state/plan-messages.ts';
import { CHANGES, countChanges, type Example } from '../state/plans.ts';
import { Button } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { withLaterMessages } from '../with-later-messages.tsx';
import { problemMessage } from './problems.ts';
import styles from './settings-panel.module.css';

export const SizeEffect = withLaterMessages(Effect);

function Effect() {
  const { queue, settings } = useSession();
  const example = useSignal(queue.example);
  const [problem] = useSignal(settings.problems);
  const { rich } = useWords();
  if (problem !== undefined) return <p>{rich(problemMessage(problem))}</p>;
  if (example === null) return null;
  const { plan } = example;
  // The reason why the example cannot have the requested size.
  if (plan.kind !== 'resize' && plan.kind !== 'kept') return <p>{rich(planFailureMessage(planFailure(plan)))}</p>;
  return (
    <>
      <ExampleSizes example={example} />
      <ChangeCounts />
    </>
  );
}

function ExampleSizes({ example: { item, from, plan } }: { readonly example: Example }) {
  const box = boxOf(useSignal(useSession().settings.recipe));
  const { t } = useWords();
  return (
    <p className={styles.example}>
      <span className={styles.exampleName}>
        <CutName name={nameOf(item)} />
      </span>
      <span className={styles.exampleSizes}>
        {t('item.pixels', { ...from })} → <strong>{t('item.pixels', { ...plan.size })}</strong>
        {plan.kind === 'resize' && plan.files.length > 1 ? ` · ${t('item.files', { count: plan.files.length })}` : null}
        {box === null ? null : ` · ${t('summary.within', box)}`}
      </span>
    </p>
  );
}

/** Returns the box into which images are fitted with their proportions, so that one of its sides stays larger. */
function boxOf(recipe: Recipe | null): { readonly width: number; readonly height: number } | null {
  if (recipe?.size.by !== 'box' || recipe.size.fit !== 'contain') return null;
  const { width, height } = recipe.size;
  return width?.unit === 'px' && height?.unit === 'px' ? { width: width.value, height: height.value } : null;
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
