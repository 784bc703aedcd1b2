// The thumbnail of a row, which is the button that opens the preview. It is drawn while the row is visible; otherwise
// its memory is freed. A planned crop or border is outlined on it.

import { useEffect, useMemo, useRef, useState } from 'react';
import type { Plan } from '../../domain/plan.ts';
import { NO_TURN, turnThen } from '../../domain/turns.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { type Item, nameOf } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Icon } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { draw, erase } from './draw-thumbnail.ts';
import { PREVIEW_BUTTON } from './focus.ts';
import { outlineOf } from './outline.ts';
import styles from './thumbnail.module.css';
import type { Thumbnails } from './thumbnails.ts';

interface ThumbnailProps {
  readonly handle: ItemHandle;
  readonly item: Item;
  /** The item's plan. */
  readonly plan: Plan | null;
  readonly thumbnails: Thumbnails;
}

export function Thumbnail({ handle, item, plan, thumbnails }: ThumbnailProps) {
  const { previewed, settings } = useSession();
  const turn = turnThen(item.turn ?? NO_TURN, useSignal(settings.turn));
  const { t } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);
  const { id, file, info, phase } = item;
  const outline = useMemo(() => (info === null ? null : outlineOf(plan, info)), [plan, info]);
  // The effect does not depend on the item itself, because progress must not draw the thumbnail again.
  useEffect(() => {
    const element = canvas.current;
    if (element === null || info === null) return;
    let work: AbortController | null = null;
    const show = async (signal: AbortSignal) => {
      const bitmap = await thumbnails.request({ id, file, info }, signal);
      if (bitmap === null || signal.aborted) return;
      draw(element, bitmap, turn, outline);
      setDrawn(true);
    };
    // The row, which is watched in any case: browsers compute the visibility of each watched element for each frame.
    const unwatch = thumbnails.visibility.watch(element.closest('li') ?? element, (visible) => {
      work?.abort();
      work = null;
      if (visible) {
        work = new AbortController();
        void show(work.signal);
      } else {
        erase(element);
      }
    });
    return () => {
      unwatch();
      work?.abort();
    };
  }, [id, file, info, turn, outline, thumbnails]);
  const content = (
    <>
      <Icon name={phase.phase === 'failed' && info === null ? 'alert' : 'image'} />
      <canvas ref={canvas} className={styles.picture} width={0} height={0} />
    </>
  );
  if (info === null) {
    return (
      <span className={styles.frame} aria-hidden="true">
        {content}
      </span>
    );
  }
  const label = t('item.preview', { name: nameOf(item) });
  return (
    <button
      type="button"
      {...PREVIEW_BUTTON}
      className={styles.frame}
      data-drawn={drawn}
      data-transparent={drawn && (info.alpha || (outline?.border?.[3] ?? 255) < 255)}
      aria-label={label}
      title={label}
      onClick={() => previewed.set(handle)}
    >
      {content}
      <span className={styles.badge}>
        <Icon name={info.sequence === 'animation' && info.frames > 1 ? 'play' : 'eye'} />
      </span>
    </button>
  );
}
