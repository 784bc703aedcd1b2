// The preview of one item: the original, and the result beside it once there is one. Arrow keys and buttons go to the
// items before and after it. Animations play, unless the user prefers reduced motion.

import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { NO_TURN, ROTATE_LEFT, ROTATE_RIGHT, turnThen } from '../../domain/turns.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { type Item, nameOf } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Button, IconButton } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { Comparison } from './comparison.tsx';
import { CropFields } from './crop-fields.tsx';
import { type Editing, useEditing } from './editing.ts';
import { FocusFields } from './focus-fields.tsx';
import { type LoadedPair, loadPair, revoke } from './load.ts';
import { OwnSizeFields } from './own-size-fields.tsx';
import { type Pair, pairsOf } from './pairs.ts';
import styles from './preview.module.css';

export function PreviewDialog() {
  const { previewed } = useSession();
  const handle = useSignal(previewed);
  return handle === null ? null : <Dialog handle={handle} />;
}

function Dialog({ handle }: { readonly handle: ItemHandle }) {
  const { previewed } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { t } = useWords();
  const item = useSignal(handle.item);
  const neighbours = useNeighbours(handle);
  // A modal dialog keeps the focus inside and closes with Escape.
  useEffect(() => dialog.current?.showModal(), []);
  const show = (next: ItemHandle | undefined) => {
    if (next !== undefined) previewed.set(next);
  };
  const press = (event: KeyboardEvent) => {
    // The arrow keys on the slider, or on an enlarged image, belong to these.
    if (event.defaultPrevented || event.target instanceof HTMLInputElement) return;
    if (event.key === 'ArrowLeft') show(neighbours.previous);
    if (event.key === 'ArrowRight') show(neighbours.next);
  };
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onKeyDown={press}
      onClose={() => previewed.set(null)}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className={styles.content}>
        <header className={styles.header}>
          <h2 id={titleId} className={styles.title} aria-live="polite">
            {nameOf(item)}
          </h2>
          {item.info === null ? null : <TurnButtons handle={handle} />}
          {neighbours.count > 1 ? <ItemPager {...neighbours} onShow={show} /> : null}
          <IconButton icon="close" label={t('action.close')} onClick={() => dialog.current?.close()} />
        </header>
        <ItemView key={handle.id} handle={handle} />
      </div>
    </dialog>
  );
}

/** The fields and the images of one item. */
function ItemView({ handle }: { readonly handle: ItemHandle }) {
  const hasInfo = useSignal(handle.item).info !== null;
  const editing = useEditing(handle);
  return (
    <>
      {hasInfo ? (
        <div className={styles.own}>
          <OwnSizeFields handle={handle} />
          <FocusFields handle={handle} editing={editing} />
          <CropFields handle={handle} editing={editing} />
        </div>
      ) : null}
      <Pairs handle={handle} editing={editing} />
    </>
  );
}

/** The buttons that turn this image alone. */
function TurnButtons({ handle: { id } }: { readonly handle: ItemHandle }) {
  const { queue } = useSession();
  const { t } = useWords();
  return (
    <span className={styles.turns}>
      <span className={styles.previous}>
        <IconButton icon="retry" label={t('turn.left')} onClick={() => queue.turn(id, ROTATE_LEFT)} />
      </span>
      <IconButton icon="retry" label={t('turn.right')} onClick={() => queue.turn(id, ROTATE_RIGHT)} />
    </span>
  );
}

/** The items that can be previewed, as seen from one of them. */
interface Neighbours {
  readonly previous: ItemHandle | undefined;
  readonly next: ItemHandle | undefined;
  /** The place of the item, counted from 1, and the number of items. */
  readonly place: number;
  readonly count: number;
}

function useNeighbours(handle: ItemHandle): Neighbours {
  const { queue } = useSession();
  const shown = useSignal(queue.list).filter(({ id, item }) => id === handle.id || item.get().info !== null);
  const index = shown.findIndex(({ id }) => id === handle.id);
  return { previous: shown[index - 1], next: shown[index + 1], place: index + 1, count: shown.length };
}

interface ItemPagerProps extends Neighbours {
  readonly onShow: (handle: ItemHandle | undefined) => void;
}

/** The buttons to the previous and the next item. */
function ItemPager({ previous, next, place, count, onShow }: ItemPagerProps) {
  const { t } = useWords();
  return (
    <p className={styles.items}>
      {/* Not `disabled`: a focused button that becomes disabled loses the focus. */}
      <span className={styles.previous}>
        <IconButton
          icon="chevron-right"
          label={t('preview.previousImage')}
          aria-disabled={previous === undefined}
          onClick={() => onShow(previous)}
        />
      </span>
      <span>{t('preview.position', { current: place, total: count })}</span>
      <IconButton
        icon="chevron-right"
        label={t('preview.nextImage')}
        aria-disabled={next === undefined}
        onClick={() => onShow(next)}
      />
    </p>
  );
}

/** The images of an item: one pair, or one for each page. */
function Pairs({ handle, editing }: { readonly handle: ItemHandle; readonly editing: Editing }) {
  const item = useSignal(handle.item);
  const { file, info, phase, turn: own = NO_TURN } = item;
  const turn = turnThen(own, useSignal(useSession().settings.turn));
  const outputs = phase.phase === 'done' ? phase.outputs : null;
  // Progress changes the phase, but not what is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const pairs = useMemo(() => pairsOf({ file, info, phase }, turn), [file, info, outputs, turn]);
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, pairs.length - 1);
  return (
    <>
      <Images key={index} pair={pairs[index] ?? { before: null, after: null }} item={item} editing={editing} />
      {pairs.length > 1 ? <Pager index={index} count={pairs.length} onChoose={setChosen} /> : null}
    </>
  );
}

interface ImagesProps {
  readonly pair: Pair;
  readonly item: Item;
  readonly editing: Editing;
}

function Images({ pair, item, editing }: ImagesProps) {
  const { t } = useWords();
  const loaded = useLoaded(pair);
  if (loaded === null) return <p className={styles.message}>{t('preview.loading')}</p>;
  const { before, after } = loaded;
  if (before === null && after === null) return <p className={styles.message}>{t('preview.none')}</p>;
  return <Comparison pair={pair} loaded={loaded} item={item} editing={editing} />;
}

/** Loads the images of a pair; null until they are loaded. Both appear together, so that animations start together. */
function useLoaded(pair: Pair): LoadedPair | null {
  const { runJob, probeFile } = useSession();
  const [loaded, setLoaded] = useState<LoadedPair | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const loading = loadPair({ run: runJob, probe: probeFile }, pair);
    void loading.then((images) => isCurrent && setLoaded(images));
    return () => {
      isCurrent = false;
      void loading.then(revoke);
    };
  }, [pair, runJob, probeFile]);
  return loaded;
}

interface PagerProps {
  readonly index: number;
  readonly count: number;
  readonly onChoose: (index: number) => void;
}

/** The buttons to the previous and the next page. */
function Pager({ index, count, onChoose }: PagerProps) {
  const { t } = useWords();
  return (
    <p className={styles.pager}>
      <Button size="small" disabled={index === 0} onClick={() => onChoose(index - 1)}>
        {t('preview.previous')}
      </Button>
      <span aria-live="polite">{t('preview.position', { current: index + 1, total: count })}</span>
      <Button size="small" disabled={index === count - 1} onClick={() => onChoose(index + 1)}>
        {t('preview.next')}
      </Button>
    </p>
  );
}
