// A row of the list. It reads its own item only, so that progress of one file renders one row.

import { memo } from 'react';
import { FORMATS, type Sequence } from '../../domain/formats.ts';
import type { Size } from '../../domain/picture.ts';
import { type Plan, sourceSize } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { useWords, type Words } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { bytesOf, formatName, type Item, isRetryable, isStale, nameOf, outputBlobs, planOf } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { changeOf } from '../state/status-messages.ts';
import { IconButton, ProgressBar } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { focusNeighbour, REMOVE_BUTTON, rowOf } from './focus.ts';
import { Notes } from './notes.tsx';
import styles from './row.module.css';
import { Thumbnail } from './thumbnail.tsx';
import type { Thumbnails } from './thumbnails.ts';

interface RowProps {
  readonly handle: ItemHandle;
  readonly recipe: Recipe | null;
  readonly thumbnails: Thumbnails;
}

export const Row = memo(function Row({ handle, recipe, thumbnails }: RowProps) {
  const item = useSignal(handle.item);
  const words = useWords();
  const plan = planOf(item, recipe);
  const stale = isStale(item, recipe);
  const state = stateWords(item, plan, stale, words);
  return (
    <li
      className={styles.row}
      {...rowOf(handle.id)}
      data-phase={item.phase.phase}
      data-stale={stale}
      aria-label={nameForReaders(item, plan, state, words)}
    >
      <Thumbnail item={item} thumbnails={thumbnails} />
      <div className={styles.what}>
        <p className={styles.name} title={item.path}>
          {nameOf(item)}
        </p>
        <p className={styles.facts}>{factsOf(item, words).join(' · ')}</p>
      </div>
      <Sizes item={item} plan={plan} />
      <State item={item} state={state} />
      <RowButtons handle={handle} item={item} />
      <Notes item={item} plan={plan} stale={stale} />
    </li>
  );
});

function Sizes({ item, plan }: { readonly item: Item; readonly plan: Plan | null }) {
  const { t } = useWords();
  const sizes = sizesOf(item, plan);
  if (sizes === null) return <p className={styles.sizes} />;
  const from = t('item.pixels', { ...sizes.from });
  if (sizes.to === null) return <p className={styles.sizes}>{from}</p>;
  const held = sizes.held > 1 ? ` · ${t('item.entries', { count: sizes.held })}` : '';
  return (
    <p className={styles.sizes}>
      <span className={styles.pixels}>{from}</span> →{' '}
      <strong className={styles.pixels}>{t('item.pixels', { ...sizes.to })}</strong>
      {held}
    </p>
  );
}

function State({ item, state }: { readonly item: Item; readonly state: string }) {
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
      {phase.phase === 'done' ? <Change before={item.file.size} after={bytesOf(outputBlobs(item))} /> : null}
    </div>
  );
}

function Change({ before, after }: { readonly before: number; readonly after: number }) {
  const { t, size } = useWords();
  const { smaller, share } = changeOf(before, after);
  const words = t(smaller ? 'item.smaller' : 'item.larger', { share });
  return <span className={styles.change}>{share === 0 ? size(after) : `${size(after)} · ${words}`}</span>;
}

function RowButtons({ handle, item }: { readonly handle: ItemHandle; readonly item: Item }) {
  const session = useSession();
  const { t } = useWords();
  const name = nameOf(item);
  return (
    <div className={styles.buttons}>
      {item.phase.phase === 'done' ? (
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
          focusNeighbour(event.currentTarget);
          session.remove(handle);
        }}
      />
    </div>
  );
}

interface Sizes {
  readonly from: Size;
  readonly to: Size | null;
  /** The number of sizes in the result: more than one for an icon. */
  readonly held: number;
}

function sizesOf({ info, phase }: Item, plan: Plan | null): Sizes | null {
  if (info === null) return null;
  const from = sourceSize(info, plan);
  if (phase.phase === 'done') {
    const [to] = phase.outputs;
    return { from, to, held: FORMATS[to.format].holds === 'sizes' ? to.frames : 1 };
  }
  if (plan?.kind !== 'resize') return { from, to: null, held: 1 };
  return { from, to: plan.size, held: FORMATS[plan.format].holds === 'sizes' ? (plan.files[0]?.length ?? 1) : 1 };
}

/** The message that counts the images in one file. */
const COUNTED = {
  single: 'item.frames',
  animation: 'item.frames',
  pages: 'item.pages',
  sizes: 'item.pictures',
} as const satisfies Record<Sequence, string>;

/** `holiday/day 1 · JPEG · 3.9MB`: the folder distinguishes files of the same name. */
function factsOf({ path, file, info }: Item, { t, size }: Words): string[] {
  const bytes = size(file.size);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const where = folder === '' ? [] : [folder];
  if (info === null) return [...where, bytes];
  return [
    ...where,
    formatName(info.format),
    bytes,
    ...(info.depth > 8 ? [t('item.depth', { depth: info.depth })] : []),
    ...(info.frames > 1 ? [t(COUNTED[info.sequence], { count: info.frames })] : []),
  ];
}

function stateWords(item: Item, plan: Plan | null, stale: boolean, { t }: Words): string {
  const { phase } = item.phase;
  if (stale) return t('item.stale');
  const isKept = phase === 'kept' || (phase === 'ready' && plan?.kind === 'kept');
  if (isKept) return t(rewritesMetadata(item, plan) ? 'item.notResized' : 'item.kept');
  return t(`item.${phase}`);
}

/** Whether the original's pixels get other metadata, or already have. */
function rewritesMetadata({ phase }: Item, plan: Plan | null): boolean {
  if (phase.phase === 'kept') return phase.rewrittenFor !== null;
  return plan?.kind === 'kept' && plan.rewriteMetadata !== null;
}

/** `IMG_0012.JPG, 4032 by 3024, JPEG, 3.9MB, becomes 1920 by 1440, Ready` */
function nameForReaders(item: Item, plan: Plan | null, state: string, words: Words): string {
  const sizes = sizesOf(item, plan);
  const parts = [
    nameOf(item),
    ...(sizes === null ? [] : [words.t('item.name.size', { ...sizes.from })]),
    ...factsOf(item, words),
    ...(sizes?.to == null ? [] : [words.t('item.name.becomes', { ...sizes.to })]),
    ...(sizes === null || sizes.held === 1 ? [] : [words.t('item.entries', { count: sizes.held })]),
    state,
  ];
  // Not `Intl.ListFormat`, which writes nothing between the units of a Chinese list.
  return parts.join(words.t('item.name.separator'));
}
