// An image of the preview: as the browser shows it, with its animation, or its first frame.

import { useEffect, useRef } from 'react';
import type { LoadedImage } from './load.ts';
import styles from './preview.module.css';

interface PictureProps {
  readonly image: LoadedImage;
  readonly alt: string;
  /** Whether only the first frame is shown. */
  readonly isStill: boolean;
  /** Whether this is the original, which lies on top of the result. */
  readonly isBefore?: boolean;
}

export function Picture({ image, alt, isStill, isBefore = false }: PictureProps) {
  const props = { className: styles.picture, 'data-before': isBefore };
  if (isStill) return <FirstFrame {...props} blob={image.blob} alt={alt} />;
  return <img {...props} src={image.url} alt={alt} draggable={false} />;
}

interface FirstFrameProps {
  readonly className: string | undefined;
  readonly 'data-before': boolean;
  readonly blob: Blob;
  readonly alt: string;
}

function FirstFrame({ blob, alt, ...props }: FirstFrameProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void createImageBitmap(blob).then((bitmap) => {
      if (isCurrent && canvas.current !== null) drawOn(canvas.current, bitmap);
      bitmap.close();
    });
    return () => {
      isCurrent = false;
    };
  }, [blob]);
  return <canvas {...props} ref={canvas} width={0} height={0} role="img" aria-label={alt} />;
}

function drawOn(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
}
