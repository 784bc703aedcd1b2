// The crop of an item in the image as the preview shows it.

import { inverseTurn, isCroppable, turnedRect, unlessWhole } from '../../domain/crops.ts';
import type { Rect } from '../../domain/job.ts';
import { type Size, uprightSize } from '../../domain/picture.ts';
import type { Recipe } from '../../domain/recipe.ts';
import { NO_TURN, swapsSides, type Turn, turnedSize, turnThen } from '../../domain/turns.ts';
import { useSession } from '../session-context.ts';
import type { Item } from '../state/item.ts';
import { ownRecipe } from '../state/item-plan.ts';
import { useSignal } from '../use-signal.ts';
import type { Editing } from './editing.ts';

/** Returns the crop of an item, or the whole area, in the image as it is shown; `common` is the turn of the settings. */
export function cropOf({ info, turn: own = NO_TURN, crop: stored }: Item, common: Turn) {
  const turn = turnThen(own, common);
  const upright: Size = info === null ? { width: 1, height: 1 } : uprightSize(info);
  const image = turnedSize(upright, turn);
  const crop = stored == null ? { x: 0, y: 0, ...image } : turnedRect(stored, upright, turn);
  return { turn, image, crop, isCroppable: info !== null && isCroppable(info), isCropped: stored != null };
}

/** Returns the crop of an item, its shape if it is locked, that of its result if the settings name one, and its setter. */
export function useCrop(item: Item, { lock }: Pick<Editing, 'lock'>) {
  const { queue, settings } = useSession();
  const own = cropOf(item, useSignal(settings.turn));
  const result = resultOf(item, useSignal(settings.recipe));
  const { turn, image } = own;
  const kept = lock === null ? null : swapsSides(lock.turn) === swapsSides(turn) ? lock.shape : 1 / lock.shape;
  const shape = lock !== null && result !== null ? result.width / result.height : kept;
  const setCrop = (crop: Rect) => {
    const chosen = unlessWhole(crop, image);
    queue.crop(item.id, chosen && turnedRect(chosen, image, inverseTurn(turn)));
  };
  return { ...own, shape, result, setCrop };
}

/** Returns the size of the box that the settings name for the result of an item; null if they do not name both sides in pixels. */
function resultOf(item: Item, recipe: Recipe | null): Size | null {
  const size = recipe === null ? null : ownRecipe(item, recipe).size;
  if (size?.by !== 'box' || size.width?.unit !== 'px' || size.height?.unit !== 'px') return null;
  return { width: size.width.value, height: size.height.value };
}
