// The preview of one item: the original, and the result beside it once there is one. Animations play, unless the user
// prefers reduced motion.

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { nameOf } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Button, IconButton } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { Comparison } from './comparison.tsx';
import { type LoadedPair, loadPair, revoke } from './load.ts';
import { type Pair, pairsOf } from './pairs.ts';
import styles from './preview.module.css';

export function PreviewDialog() {
  const { previewed } = useSession();
  const handle = useSignal(previewed);
  return handle === null ? null : <Dialog key={handle.id} handle={handle} onClose={() => previewed.set(null)} />;
}

interface DialogProps {
  readonly handle: ItemHandle;
  readonly onClose: () => void;
}

function Dialog({ handle, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { t } = useWords();
  const item = useSignal(handle.item);
  const { file, info, phase } = item;
  const outputs = phase.phase === 'done' ? phase.outputs : null;
  // Progress changes the phase, but not what is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const pairs = useMemo(() => pairsOf({ file, info, phase }), [file, info, outputs]);
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, pairs.length - 1);
  // A modal dialog keeps the focus inside, closes with Escape and returns the focus to the button that opened it.
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog, too
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className={styles.content}>
        <header className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {nameOf(item)}
          </h2>
          <IconButton icon="close" label={t('action.close')} onClick={() => dialog.current?.close()} />
        </header>
        <Images key={index} pair={pairs[index] ?? { before: null, after: null }} />
        {pairs.length > 1 ? <Pager index={index} count={pairs.length} onChoose={setChosen} /> : null}
      </div>
    </dialog>
  );
}

function Images({ pair }: { readonly pair: Pair }) {
  const { t } = useWords();
  const loaded = useLoaded(pair);
  if (loaded === null) return <p className={styles.message}>{t('preview.loading')}</p>;
  const { before, after } = loaded;
  if (before === null && after === null) return <p className={styles.message}>{t('preview.none')}</p>;
  return <Comparison pair={pair} loaded={loaded} />;
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
