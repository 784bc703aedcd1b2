// The original and the result on top of each other, with a slider that moves the line between them.

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Size } from '../../domain/picture.ts';
import { useWords } from '../../i18n/index.ts';
import { formatName } from '../state/item.ts';
import { Button } from '../ui/index.ts';
import type { LoadedImage, LoadedPair } from './load.ts';
import type { Pair, PreviewImage } from './pairs.ts';
import styles from './preview.module.css';

interface ComparisonProps {
  readonly pair: Pair;
  readonly loaded: LoadedPair;
}

export function Comparison({ pair, loaded: { before, after } }: ComparisonProps) {
  const { t } = useWords();
  const [share, setShare] = useState(50);
  const [isActualSize, setActualSize] = useState(false);
  const isAnimated = pair.before?.isAnimated === true || pair.after?.isAnimated === true;
  const [isPlaying, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const isStill = isAnimated && !isPlaying;
  const hasBoth = before !== null && after !== null;
  const images = useRef<HTMLDivElement>(null);
  const size = (after ?? before)?.size;
  useLayoutEffect(() => {
    const style = images.current?.style;
    style?.setProperty('--width', String(size?.width));
    style?.setProperty('--height', String(size?.height));
    style?.setProperty('--density', String(devicePixelRatio));
    style?.setProperty('--share', `${share}%`);
  }, [size, share]);
  return (
    <>
      <div className={styles.stage} data-actual-size={isActualSize}>
        <div ref={images} className={styles.images} data-shape={hasBoth && !isAlike(before, after) ? 'other' : 'same'}>
          {after === null ? null : <Picture image={after} alt={t('preview.after')} isStill={isStill} />}
          {before === null ? null : <Picture image={before} alt={t('preview.before')} isStill={isStill} isBefore />}
          {hasBoth ? <Slider share={share} onShare={setShare} /> : null}
        </div>
      </div>
      <div className={styles.footer}>
        <Caption label={t('preview.before')} image={pair.before} size={before?.size} />
        <Caption label={t('preview.after')} image={pair.after} size={after?.size} />
        <div className={styles.buttons}>
          {isAnimated ? (
            <Button size="small" icon={isPlaying ? 'pause' : 'play'} onClick={() => setPlaying(!isPlaying)}>
              {t(isPlaying ? 'preview.pause' : 'preview.play')}
            </Button>
          ) : null}
          <Button size="small" aria-pressed={isActualSize} onClick={() => setActualSize(!isActualSize)}>
            {t('preview.actualSize')}
          </Button>
        </div>
      </div>
    </>
  );
}

interface SliderProps {
  /** The part of the area that shows the original, in percent. */
  readonly share: number;
  readonly onShare: (share: number) => void;
}

/** A slider as large as the images, so that the line can be dragged anywhere. Arrow keys move it by 1 %. */
function Slider({ share, onShare }: SliderProps) {
  const { t } = useWords();
  return (
    <>
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={t('preview.slider')}
        aria-valuetext={t('preview.share', { share: share / 100 })}
        onChange={(event) => onShare(event.currentTarget.valueAsNumber)}
      />
      <span className={styles.line} />
    </>
  );
}

interface PictureProps {
  readonly image: LoadedImage;
  readonly alt: string;
  /** Whether only the first frame is shown. */
  readonly isStill: boolean;
  /** Whether this is the original, which lies on top of the result. */
  readonly isBefore?: boolean;
}

/** The image as the browser shows it, with its animation, or its first frame. */
function Picture({ image, alt, isStill, isBefore = false }: PictureProps) {
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

interface CaptionProps {
  readonly label: string;
  readonly image: PreviewImage | null;
  readonly size: Size | undefined;
}

/** Returns `Before: 640 × 480 · GIF · 1.2MB`. */
function Caption({ label, image, size }: CaptionProps) {
  const words = useWords();
  if (image === null) return null;
  const facts = [
    words.t('item.pixels', { ...(size ?? image.size) }),
    formatName(image.format),
    words.size(image.file.size),
  ];
  return (
    <p className={styles.caption}>
      <strong>{label}</strong> {facts.join(' · ')}
    </p>
  );
}

/** Whether both images have the same proportions, but for rounding to whole pixels. */
function isAlike(before: LoadedImage, after: LoadedImage): boolean {
  const [one, other] = [before.size, after.size];
  const difference = Math.abs(one.width * other.height - one.height * other.width);
  return difference <= Math.max(one.width, one.height);
}
