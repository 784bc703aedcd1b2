// The thumbnail of a row. It is drawn while the row is visible; otherwise its memory is freed.

import { useEffect, useRef, useState } from 'react';
import type { Item } from '../state/item.ts';
import { Icon } from '../ui/index.ts';
import styles from './thumbnail.module.css';
import { draw, erase, type Thumbnails } from './thumbnails.ts';

interface ThumbnailProps {
  readonly item: Item;
  readonly thumbnails: Thumbnails;
}

export function Thumbnail({ item, thumbnails }: ThumbnailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);
  const { id, file, info, phase } = item;
  // The effect does not depend on the item itself, because progress must not draw the thumbnail again.
  useEffect(() => {
    const element = canvas.current;
    if (element === null || info === null) return;
    let work: AbortController | null = null;
    const show = async (signal: AbortSignal) => {
      const bitmap = await thumbnails.request({ id, file, info }, signal);
      if (bitmap === null || signal.aborted) return;
      draw(element, bitmap);
      setDrawn(true);
    };
    const unwatch = thumbnails.visibility.watch(element, (visible) => {
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
  }, [id, file, info, thumbnails]);
  return (
    <span className={styles.frame} data-drawn={drawn} aria-hidden="true">
      <Icon name={phase.phase === 'failed' && info === null ? 'alert' : 'image'} />
      <canvas ref={canvas} className={styles.picture} width={0} height={0} />
    </span>
  );
}
