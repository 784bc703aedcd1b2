// Which area of the image the preview lets the visitor change: the crop of this image, or the part of all images that
// stays when they are cropped to another shape.

import { useState } from 'react';
import type { Rect } from '../../domain/job.ts';
import { frameSize, type Size } from '../../domain/picture.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { NO_TURN, type Turn, turnedSize, turnThen } from '../../domain/turns.ts';
import { useSession } from '../session-context.ts';
import type { Item } from '../state/item.ts';
import type { ItemHandle } from '../state/item-list.ts';
import { isStale, ownRecipe, planOf } from '../state/item-plan.ts';
import { useSignal } from '../use-signal.ts';
import { cropOf } from './crop.ts';

export type Edited = 'crop' | 'focus' | null;

export interface Editing {
  readonly edited: Edited;
  /** Shows or hides the fields and the frame of one of them. */
  readonly toggle: (which: 'crop' | 'focus', isOpen: boolean) => void;
  /** The locked shape of the crop, and the turn of the image for which it holds; null if it is free. */
  readonly lock: Lock | null;
  readonly setLock: (lock: Lock | null) => void;
}

export interface Lock {
  /** Width / height. */
  readonly shape: number;
  readonly turn: Turn;
}

/** Begins with what the next result depends on; with nothing if there is a result to compare. */
export function useEditing(handle: ItemHandle): Editing {
  const { settings } = useSession();
  const item = useSignal(handle.item);
  const recipe = useSignal(settings.recipe);
  const turn = useSignal(settings.turn);
  const [edited, setEdited] = useState<Edited>(() => {
    if (item.phase.phase === 'done' && !isStale(item, recipe)) return null;
    if (cropOf(item, turn).isCropped) return 'crop';
    return coverOf(item, recipe, turn) === null ? null : 'focus';
  });
  const [lock, setLock] = useState<Lock | null>(null);
  const toggle = (which: 'crop' | 'focus', isOpen: boolean) =>
    setEdited((last) => (isOpen ? which : last === which ? null : last));
  return { edited, toggle, lock, setLock };
}

/** The part of an image that stays when it is cropped to the shape of the settings. */
export interface Cover {
  /** The image as it is shown, after its turns. */
  readonly image: Size;
  /** The area in which the part can lie: the crop of this image, or all of it. */
  readonly room: Rect;
  readonly part: Rect;
}

/** Returns the part of one frame; null if all of it stays. `common` is the turn of the settings. */
export function coverOf(item: Item, recipe: Recipe | null, common: Turn, frame = 0): Cover | null {
  const plan = planOf(item, recipe);
  if (item.info === null || recipe === null || plan?.kind !== 'resize') return null;
  const { size } = ownRecipe(item, recipe);
  if (size.by !== 'box' || size.fit !== 'cover') return null;
  const part = plan.files.flat().find((one) => one.frame === frame)?.crop;
  const image = turnedSize(frameSize(item.info, frame), turnThen(item.turn ?? NO_TURN, common));
  const { crop, isCropped } = cropOf(item, common);
  const room = isCropped ? crop : { x: 0, y: 0, ...image };
  const hasRoom = part !== undefined && (part.width < room.width || part.height < room.height);
  return hasRoom ? { image, room, part } : null;
}
