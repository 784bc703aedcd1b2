// The frame around the crop of an image, over the original in its preview.

import { useLayoutEffect, useRef } from 'react';
import { useSession } from '../session-context.ts';
import type { Item } from '../state/item.ts';
import { useSignal } from '../use-signal.ts';
import { cropOf } from './crop-fields.tsx';
import styles from './preview.module.css';

export function CropFrame({ item }: { readonly item: Item }) {
  const frame = useRef<HTMLSpanElement>(null);
  const turn = useSignal(useSession().settings.turn);
  const { image, crop, isCropped } = cropOf(item, turn);
  const { x, y, width, height } = crop;
  useLayoutEffect(() => {
    const style = frame.current?.style;
    style?.setProperty('--crop-x', `${(x / image.width) * 100}%`);
    style?.setProperty('--crop-y', `${(y / image.height) * 100}%`);
    style?.setProperty('--crop-width', `${(width / image.width) * 100}%`);
    style?.setProperty('--crop-height', `${(height / image.height) * 100}%`);
  });
  if (!isCropped) return null;
  return (
    <span className={styles.cropped} aria-hidden="true">
      <span ref={frame} className={styles.cropFrame} />
    </span>
  );
}
