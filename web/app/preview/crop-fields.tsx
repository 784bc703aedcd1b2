// The crop of this image alone, in its preview. The fields refer to the image as it is shown, after its turns.

import { useId, useState } from 'react';
import {
  CROP_FIELDS,
  type CropField,
  cropRange,
  inverseTurn,
  turnedRect,
  unlessWhole,
  withCropField,
} from '../../domain/crops.ts';
import { type Size, uprightSize } from '../../domain/picture.ts';
import { NO_TURN, type Turn, turnedSize, turnThen } from '../../domain/turns.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Item } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Button, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import styles from './preview.module.css';

const LABELS = { x: 'crop.x', y: 'crop.y', width: 'crop.width', height: 'crop.height' } as const;

/** A text that is no valid value of its field. */
interface Invalid {
  readonly field: CropField;
  readonly text: string;
}

export function CropFields({ handle }: { readonly handle: ItemHandle }) {
  const { queue, settings } = useSession();
  const { turn, image, crop, isCroppable, isCropped } = cropOf(useSignal(handle.item), useSignal(settings.turn));
  const [wasOpen] = useState(isCropped);
  const [invalid, setInvalid] = useState<Invalid | null>(null);
  const noteId = useId();
  const { t, rich } = useWords();
  if (!isCroppable) return null;
  const change = (field: CropField, text: string) => {
    const next = withCropField(crop, field, text, image);
    setInvalid(next === null ? { field, text } : null);
    if (next === null) return;
    const chosen = unlessWhole(next, image);
    queue.crop(handle.id, chosen && turnedRect(chosen, image, inverseTurn(turn)));
  };
  const reset = () => {
    setInvalid(null);
    queue.crop(handle.id, null);
  };
  return (
    <details className={styles.ownSize} open={wasOpen}>
      <summary>{t('preview.crop')}</summary>
      <div className={styles.ownFields} data-fields="4">
        {CROP_FIELDS.map((field) => (
          <TextField
            key={field}
            label={t(LABELS[field])}
            name={t('size.inPixels', { label: t(LABELS[field]) })}
            unit={t('size.unit.px')}
            inputMode="numeric"
            enterKeyHint="done"
            value={invalid?.field === field ? invalid.text : String(crop[field])}
            problemId={invalid?.field === field ? noteId : undefined}
            onText={(text) => change(field, text)}
          />
        ))}
        <Button aria-disabled={!isCropped} onClick={reset}>
          {t('note.useWhole')}
        </Button>
      </div>
      <p id={noteId} className={styles.ownNote} data-problem={invalid !== null}>
        {invalid === null ? null : rich({ key: 'crop.problem', values: cropRange(invalid.field, image) })}
      </p>
    </details>
  );
}

/** Returns the crop of an item, or the whole area, in the image as it is shown; `common` is the turn of the settings. */
export function cropOf({ info, turn: own = NO_TURN, crop: stored }: Item, common: Turn) {
  const turn = turnThen(own, common);
  const upright: Size = info === null ? { width: 1, height: 1 } : uprightSize(info);
  const image = turnedSize(upright, turn);
  const crop = stored == null ? { x: 0, y: 0, ...image } : turnedRect(stored, upright, turn);
  // Pages and the entries of an icon differ in size.
  const isCroppable = info?.sequence === 'single' || info?.sequence === 'animation';
  return { turn, image, crop, isCroppable, isCropped: stored != null };
}
