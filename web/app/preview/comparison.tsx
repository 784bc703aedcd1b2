// The images of the preview with what they are, and the buttons that zoom them and let animations play.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Size } from '../../domain/picture.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import { formatName, type Item } from '../state/item.ts';
import { Button } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { cropOf } from './crop.ts';
import { CropFrame, FocusFrame } from './crop-frame.tsx';
import { coverOf, type Editing } from './editing.ts';
import type { LoadedPair } from './load.ts';
import type { Pair, PreviewImage } from './pairs.ts';
import styles from './preview.module.css';
import { Stage } from './stage.tsx';
import { useZoom, type Zoom } from './use-zoom.ts';

interface ComparisonProps {
  readonly pair: Pair;
  readonly loaded: LoadedPair;
  readonly item: Item;
  readonly editing: Editing;
}

const LEVELS = [1, 2];
/** The factor of a key press. */
const ZOOM_STEP = 1.5;

export function Comparison({ pair, loaded, item, editing }: ComparisonProps) {
  const { t } = useWords();
  const frame = useFrame(item, editing, pair.before?.frame ?? 0);
  const { before } = loaded;
  // A frame lies over the original alone.
  const isFramed = frame !== null && before !== null;
  const after = isFramed ? null : loaded.after;
  const stage = useRef<HTMLDivElement>(null);
  const zoom = useZoom(stage, (after ?? before)?.size ?? { width: 1, height: 1 });
  const isAnimated = pair.before?.isAnimated === true || pair.after?.isAnimated === true;
  const [isPlaying, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  useZoomKeys(zoom);
  return (
    <>
      <Stage
        loaded={{ before, after }}
        zoom={zoom}
        stage={stage}
        isStill={isAnimated && !isPlaying}
        frame={isFramed ? frame : null}
      />
      <div className={styles.footer}>
        <Caption label={t('preview.before')} image={pair.before} size={before?.size} />
        <Caption label={t('preview.after')} image={isFramed ? null : pair.after} size={after?.size} />
        <div className={styles.buttons}>
          {isAnimated ? (
            <Button size="small" icon={isPlaying ? 'pause' : 'play'} onClick={() => setPlaying(!isPlaying)}>
              {t(isPlaying ? 'preview.pause' : 'preview.play')}
            </Button>
          ) : null}
          <ZoomButtons zoom={zoom} />
        </div>
      </div>
    </>
  );
}

/** Returns the frame around the area that is edited; null if none is. */
function useFrame(item: Item, editing: Editing, frame: number): ReactNode {
  const { settings } = useSession();
  const recipe = useSignal(settings.recipe);
  const turn = useSignal(settings.turn);
  if (editing.edited === 'crop') {
    return cropOf(item, turn).isCroppable ? <CropFrame item={item} editing={editing} /> : null;
  }
  const cover = editing.edited === 'focus' ? coverOf(item, recipe, turn, frame) : null;
  return cover === null ? null : <FocusFrame cover={cover} />;
}

function ZoomButtons({ zoom }: { readonly zoom: Zoom }) {
  const { t } = useWords();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className={styles.levels} role="group" aria-label={t('preview.zoom')}>
      <Button size="small" aria-pressed={zoom.isFit} onClick={zoom.fit}>
        {t('preview.fit')}
      </Button>
      {LEVELS.map((level) => (
        <Button
          key={level}
          size="small"
          aria-pressed={!zoom.isFit && Math.abs(zoom.level - level) < 0.005}
          onClick={() => zoom.setLevel(level)}
        >
          {t('preview.level', { level })}
        </Button>
      ))}
    </div>
  );
}

/** Zooms with + and −, 0 for the whole image, 1 and 2 for 100 % and 200 %, while the preview is open. */
function useZoomKeys(zoom: Zoom): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') zoom.zoomBy(ZOOM_STEP);
      else if (event.key === '-') zoom.zoomBy(1 / ZOOM_STEP);
      else if (event.key === '0') zoom.fit();
      else if (LEVELS.includes(Number(event.key))) zoom.setLevel(Number(event.key));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
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
