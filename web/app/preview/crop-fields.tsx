// The crop of this image alone, in its preview. The fields refer to the image as it is shown, after its turns.

import { useId, useState } from 'react';
import { CROP_FIELDS, type CropField, cropRange, shapedCrop, withCropField } from '../../domain/crops.ts';
import type { Rect } from '../../domain/job.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { Button, Choice, TextField } from '../ui/index.ts';
import { useSignal } from '../use-signal.ts';
import { useCrop } from './crop.ts';
import type { Editing } from './editing.ts';
import styles from './preview.module.css';

const LABELS = { x: 'crop.x', y: 'crop.y', width: 'crop.width', height: 'crop.height' } as const;

/** A text that is no valid value of its field. */
interface Invalid {
  readonly field: CropField;
  readonly text: string;
  /** The crop beside which it was typed. With another one, the text is gone. */
  readonly of: Rect | null | undefined;
}

interface CropFieldsProps {
  readonly handle: ItemHandle;
  readonly editing: Editing;
}

export function CropFields({ handle, editing }: CropFieldsProps) {
  const { queue } = useSession();
  const item = useSignal(handle.item);
  const { image, crop, shape, isCroppable, isCropped, setCrop } = useCrop(item, editing);
  const [typed, setInvalid] = useState<Invalid | null>(null);
  const invalid = typed?.of === item.crop ? typed : null;
  const noteId = useId();
  const { t, rich } = useWords();
  const change = (field: CropField, text: string) => {
    const next = withCropField(crop, field, text, image, shape);
    setInvalid(next === null ? { field, text, of: item.crop } : null);
    if (next !== null) setCrop(next);
  };
  const reset = () => {
    setInvalid(null);
    queue.crop(handle.id, null);
  };
  return (
    <details
      className={styles.ownSize}
      open={editing.edited === 'crop'}
      onToggle={(event) => editing.toggle('crop', event.currentTarget.open)}
    >
      <summary>{t('preview.crop')}</summary>
      {isCroppable ? (
        <>
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
          <ShapeLock handle={handle} editing={editing} />
          <p id={noteId} className={styles.ownNote} data-problem={invalid !== null}>
            {invalid === null ? t('crop.help') : rich({ key: 'crop.problem', values: cropRange(invalid.field, image) })}
          </p>
        </>
      ) : (
        <p className={styles.ownNote}>{t('crop.differ')}</p>
      )}
    </details>
  );
}

/** Locks the proportions of the crop: to those of the result if the settings name both of its sides. */
function ShapeLock({ handle, editing }: CropFieldsProps) {
  const { turn, crop, result, setCrop } = useCrop(useSignal(handle.item), editing);
  const { t } = useWords();
  const lock = (isLocked: boolean) => {
    const shape = result === null ? crop.width / crop.height : result.width / result.height;
    editing.setLock(isLocked ? { shape, turn } : null);
    if (isLocked) setCrop(shapedCrop(crop, shape));
  };
  return (
    <Choice type="checkbox" checked={editing.lock !== null} onChecked={lock}>
      {result === null ? t('crop.shape') : t('crop.shape.result', { ...result })}
    </Choice>
  );
}
