// A row's picture: drawn when the row can be seen, let go of when it cannot.

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
  const readable = item.info !== null;
  // Only what the picture is made of; progress does not draw it again.
  const source = useRef(item);
  source.current = item;
  useEffect(() => {
    const element = canvas.current;
    if (element === null || !readable) return;
    let work: AbortController | null = null;
    const show = async (signal: AbortSignal) => {
      const bitmap = await thumbnails.ask(source.current, signal);
      if (bitmap === null || signal.aborted) return;
      draw(element, bitmap);
      setDrawn(true);
    };
    const end = thumbnails.watch(element, (visible) => {
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
      end();
      work?.abort();
    };
  }, [readable, thumbnails]);
  return (
    <span className={styles.frame} data-drawn={drawn} aria-hidden="true">
      <Icon name={item.phase.phase === 'failed' && !readable ? 'alert' : 'image'} />
      <canvas ref={canvas} className={styles.picture} width={0} height={0} />
    </span>
  );
}
