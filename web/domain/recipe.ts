// The recipe: a valid set of settings, the same for every file. `form.ts` reads it from the form; `plan.ts` applies it
// to one image.

import type { Rect, Rgba } from './job.ts';
import type { Focus, NameIn, RecipeForm } from './settings.ts';
import type { Turn } from './turns.ts';

/** The fit of an image in a box of another shape: CSS `object-fit`, and `pad`, which is `contain` with borders. */
export type Fit = 'contain' | 'cover' | 'stretch' | 'pad';

/** One side as typed: pixels, or percent of the image's own side. */
export type Length =
  | { readonly unit: 'px'; readonly value: number }
  | { readonly unit: 'percent'; readonly value: number };

export interface BoxRule {
  readonly by: 'box';
  readonly width: Length | null;
  readonly height: Length | null;
  readonly fit: Fit;
  /** The place of the crop of `cover`: the centre if it is not given. */
  readonly focus?: Focus;
}

/** The requested size of the results. */
export type SizeRule =
  | BoxRule
  | { readonly by: 'percent'; readonly percent: number }
  | { readonly by: 'longest'; readonly side: number }
  | { readonly by: 'shortest'; readonly side: number }
  /** The largest size of the image's shape with at most this area. */
  | { readonly by: 'megapixels'; readonly megapixels: number }
  /** One result for each width; they descend. */
  | { readonly by: 'widths'; readonly widths: readonly [number, ...number[]] }
  /** The icons of a web app: see `app-icons.ts`. */
  | { readonly by: 'app-icons' };

/** The settings that change results; names do not. The fields of the size card are read into one rule. */
export interface Recipe extends Omit<RecipeForm, NameIn<'size' | 'names'> | 'fileLimit'> {
  readonly size: SizeRule;
  /** The turn of every image, before its size is computed. */
  readonly turn: Turn;
  /** The area of the upright image before its turn that is used; the whole image if it is not given. */
  readonly crop?: Rect;
  /** Whether images may grow. */
  readonly enlarge: boolean;
  /** The colour of added borders. */
  readonly border: Rgba;
  /** The density that results state, in pixels per inch; null for that of the original. */
  readonly density: number | null;
  /** The largest size of each file in bytes, for formats with a quality; null for any size. */
  readonly maxBytes: number | null;
}
