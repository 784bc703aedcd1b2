// A row of the list. It subscribes to its own item only, so that progress of one file renders one row. Far from the screen
// it has only its name, which browsers find in the page, and its accessible name.

import { memo, useCallback, useMemo } from 'react';
import { useWords } from '../../i18n/index.ts';
import { CutName } from '../cut-name.tsx';
import { useSession } from '../session-context.ts';
import { bytesOf, type Item, isRetryable, nameOf, outputBlobs, recipeOf } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { isStale, planOf } from '../state/item-plan.ts';
import { changeOf } from '../state/status-messages.ts';
import { IconButton, ProgressBar } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { focusNeighbour, REMOVE_BUTTON, rowOf } from './focus.ts';
import { Notes } from './notes.tsx';
import styles from './row.module.css';
import { accessibleName, factsOf, formatAfter, type Sizes, sizesOf, stateText } from './row-texts.ts';
import type { RowUpdates } from './row-updates.ts';
import { Thumbnail } from './thumbnail.tsx';
import type { Thumbnails } from './thumbnails.ts';

interface RowProps {
  readonly handle: ItemHandle;
  /** Whether the same file stands earlier in the list. */
  readonly isCopy: boolean;
  readonly updates: RowUpdates;
  readonly thumbnails: Thumbnails;
}

export const Row = memo(function Row({ handle, isCopy, updates, thumbnails }: RowProps) {
  const { item, recipe, isNear } = useSignal(useMemo(() => updates.stateOf(handle), [updates, handle]));
  const watch = useCallback((row: Element | null) => updates.watch(handle, row), [updates, handle]);
  const words = useWords();
  const wanted = recipeOf(item, recipe);
  const plan = planOf(item, wanted);
  const stale = isStale(item, wanted);
  const state = stateText(item, plan, stale, words);
  const sizes = sizesOf(item, plan, stale, words);
  const after = formatAfter(item, plan, stale);
  const more = isCopy ? [words.t('item.copy')] : [];
  const facts = [...factsOf(item, after, words, true), ...more];
  return (
    <li
      ref={watch}
      className={styles.row}
      {...rowOf(handle.id)}
      data-phase={item.phase.phase}
      data-stale={stale}
      data-far={!isNear}
      aria-label={accessibleName(item, { sizes, facts, state }, words)}
    >
      {isNear ? <Thumbnail handle={handle} item={item} plan={plan} thumbnails={thumbnails} /> : null}
      <Name item={item} />
      {isNear ? (
        <>
          <div className={styles.second}>
            <p className={styles.facts}>{[...factsOf(item, after, words), ...more].join(' · ')}</p>
            <State item={item} state={state} />
          </div>
          <div className={styles.third}>
            <SizesText sizes={sizes} />
            <Change item={item} stale={stale} />
          </div>
          <RowButtons handle={handle} item={item} />
          <Notes item={item} recipe={wanted} plan={plan} stale={stale} />
        </>
      ) : null}
    </li>
  );
});

function Name({ item }: { readonly item: Item }) {
  return (
    <p className={styles.name} title={item.path}>
      <CutName name={nameOf(item)} />
    </p>
  );
}

function SizesText({ sizes }: { readonly sizes: Sizes | null }) {
  const { t } = useWords();
  if (sizes === null) return <p className={styles.sizes} />;
  const from = t('item.pixels', { ...sizes.from });
  if (sizes.to === null) return <p className={styles.sizes}>{from}</p>;
  return (
    <p className={styles.sizes}>
      <span className={styles.pixels}>{from}</span> →{' '}
      <strong className={styles.pixels}>{t('item.pixels', { ...sizes.to })}</strong>
      {sizes.contents === '' ? null : ` · ${sizes.contents}`}
    </p>
  );
}

interface StateProps {
  readonly item: Item;
  readonly state: string;
}

function State({ item, state }: StateProps) {
  const { t } = useWords();
  const { phase } = item;
  if (phase.phase === 'running') {
    return (
      <div className={styles.state}>
        <span>{state}</span>
        <ProgressBar fraction={phase.fraction} label={t('item.progress', { name: nameOf(item) })} />
      </div>
    );
  }
  return (
    <div className={styles.state}>
      <span className={styles.mark}>{state}</span>
    </div>
  );
}

/** The size of the result in bytes and its difference, or the result of earlier settings, which can still be saved. */
function Change({ item, stale }: { readonly item: Item; readonly stale: boolean }) {
  const { t, size } = useWords();
  if (item.phase.phase !== 'done') return null;
  const { outputs } = item.phase;
  const [{ width, height }] = outputs;
  const after = bytesOf(outputBlobs(item));
  if (stale) return <p className={styles.change}>{t('item.has', { width, height, size: size(after) })}</p>;
  const { smaller, share } = changeOf(item.file.size, after);
  return (
    <p className={styles.change}>
      {size(after)}
      {share === 0 ? null : (
        <span className={styles.share}> · {t(smaller ? 'item.smaller' : 'item.larger', { share })}</span>
      )}
    </p>
  );
}

function RowButtons({ handle, item }: { readonly handle: ItemHandle; readonly item: Item }) {
  const session = useSession();
  const { t } = useWords();
  const name = nameOf(item);
  return (
    <div className={styles.buttons}>
      {outputBlobs(item).length > 0 ? (
        <IconButton icon="save" label={t('item.save', { name })} onClick={() => void session.save(handle.id)} />
      ) : null}
      {isRetryable(item) ? (
        <IconButton icon="retry" label={t('item.retry', { name })} onClick={() => session.queue.retry(handle.id)} />
      ) : null}
      <IconButton
        icon="close"
        label={t('item.remove', { name })}
        {...REMOVE_BUTTON}
        onClick={(event) => {
          // The second click of a double click would remove the next row, which has moved under the pointer.
          if (event.detail > 1) return;
          focusNeighbour(event.currentTarget);
          session.remove(handle.id);
        }}
      />
    </div>
  );
}
