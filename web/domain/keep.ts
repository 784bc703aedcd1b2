// Whether the original stays as it is: encoding unchanged pixels again could only lose quality.

import { FORMATS } from './formats.ts';
import { geometryFor, isUnchanged } from './geometry.ts';
import { holdsExactly, sidesFor } from './icons.ts';
import type { MetadataPolicy } from './job.ts';
import { everyFrame, frameSize, isSrgb, type Picture, type Size, uprightSize } from './picture.ts';
import type { Recipe } from './recipe.ts';
import { DEFAULT_FORM, isDefault } from './settings.ts';
import { NO_TURN } from './turns.ts';

/** A reason why the original's pixels are the result. */
export type KeptReason =
  /** The recipe would enlarge the image, and enlarging is off. */
  | 'already-smaller'
  /** The image has the requested size. */
  | 'same-size'
  /** With the typed quality, the result would not be smaller. */
  | 'smaller-original';

/** Whether the source has metadata that the policy removes. */
export function mustRewriteMetadata({ metadata }: Picture, policy: MetadataPolicy): boolean {
  switch (policy) {
    case 'keep':
      return false;
    case 'keep-without-location':
      return metadata === 'location';
    case 'remove':
      return metadata !== 'none';
  }
}

/** Whether the result would have the source's format, encoding, frames and pixels. */
export function keepsPixels(recipe: Recipe, picture: Picture): boolean {
  if (recipe.turn !== NO_TURN || recipe.crop !== undefined) return false;
  if (recipe.format !== 'same' && recipe.format !== picture.format) return false;
  const { encoder, holds, maxSide } = FORMATS[picture.format];
  if (encoder?.reencodesFor.some((option) => !isDefault(recipe, option))) return false;
  // A choice of an icon's entries is another icon; a choice of a file's frames or pages is another file.
  if (picture.frames > 1 && picture.sequence === 'sizes' && recipe.entries !== 'largest') return false;
  if (usesFirstOnly(recipe, picture)) return false;
  if (recipe.profile === 'srgb' && !isSrgb(picture)) return false;
  if (holds === 'sizes' && !isDefault(recipe, 'iconSizes')) {
    return holdsExactly(picture, sidesFor(recipe, uprightSize(picture), maxSide));
  }
  // A later page may be larger than the first.
  const frames = picture.sequence === 'pages' ? everyFrame(picture) : [0];
  return frames.every((frame) => isKept(recipe, frameSize(picture, frame)));
}

/** Whether only the quality, or the order of a JPEG's data, differs: a result that is not smaller is then of no use. */
export function mayYield(recipe: Recipe, picture: Picture): boolean {
  return keepsPixels({ ...recipe, quality: DEFAULT_FORM.quality, coding: DEFAULT_FORM.coding }, picture);
}

/** Whether the recipe asks for the first of several frames or pages only. */
export function usesFirstOnly(recipe: Recipe, { frames, sequence }: Picture): boolean {
  if (frames === 1) return false;
  return (sequence === 'animation' && recipe.frames === 'first') || (sequence === 'pages' && recipe.pages === 'first');
}

export function keptReason(recipe: Recipe, picture: Picture): KeptReason {
  return isKept({ ...recipe, enlarge: true }, uprightSize(picture)) ? 'same-size' : 'already-smaller';
}

function isKept({ size, enlarge, border }: Recipe, upright: Size): boolean {
  return isUnchanged(geometryFor(size, upright, enlarge, border), upright);
}
