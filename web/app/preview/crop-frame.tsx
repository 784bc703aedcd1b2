// The frames of the preview: around the crop of this image, and around the part of all images that stays.

import { useRef, useState } from 'react';
import { draggedCrop, movedCrop } from '../../domain/crops.ts';
import { focusOf } from '../../domain/focus.ts';
import type { Rect } from '../../domain/job.ts';
import { useWords } from '../../i18n/index.ts';
import { useSession } from '../session-context.ts';
import type { Item } from '../state/item.ts';
import { useSignal } from '../use-signal.ts';
import { AreaFrame } from './area-frame.tsx';
import { useCrop } from './crop.ts';
import type { Cover, Editing } from './editing.ts';

export function CropFrame({ item, editing }: { readonly item: Item; readonly editing: Editing }) {
  const { image, crop, shape, setCrop } = useCrop(item, editing);
  const { t } = useWords();
  return (
    <AreaFrame
      image={image}
      area={crop}
      label={t('crop.frame')}
      hasHandles
      onDrag={(start, handle, way) => setCrop(draggedCrop(start, handle, way, image, shape))}
    />
  );
}

export function FocusFrame({ cover: { image, room, part } }: { readonly cover: Cover }) {
  const { settings } = useSession();
  const { focus } = useSignal(settings.form);
  const { t } = useWords();
  // The setting changes at the end, because it plans all images anew.
  const dragged = useRef<Rect | null>(null);
  const [shown, setShown] = useState<Rect | null>(null);
  const show = (place: Rect | null) => {
    dragged.current = place;
    setShown(place);
  };
  return (
    <AreaFrame
      image={image}
      area={shown === null ? part : { ...shown, x: room.x + shown.x, y: room.y + shown.y }}
      label={t('focus.frame')}
      hasHandles={false}
      onDrag={(start, _, way) => {
        const inRoom = { ...start, x: start.x - room.x, y: start.y - room.y };
        show(movedCrop(inRoom, way, room));
      }}
      onEnd={() => {
        const next = dragged.current === null ? focus : focusOf(dragged.current, room, focus);
        show(null);
        if (next !== focus) settings.change({ focus: next });
      }}
    />
  );
}
