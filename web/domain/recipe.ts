// The user's wishes, once they make sense: the same for every file. `form.ts` reads them from the fields on the
// screen, `sizing.ts` meets them with one picture.

import type { WritableFormat } from './formats.ts';
import type { EntryChoice, IconSide } from './icons.ts';
import type { Compression, Effort, Kernel, Light, MetadataPolicy, Rgb, Rgba } from './job.ts';

/** How a picture meets a box of another shape; CSS's words and meanings, `pad` being `contain` with borders. */
export type Fit = 'contain' | 'cover' | 'stretch' | 'pad';

/** A typed side: pixels, or percent of the picture's own side. */
export type Length =
  | { readonly unit: 'px'; readonly value: number }
  | { readonly unit: 'percent'; readonly value: number };

export type SizeWish =
  | { readonly by: 'box'; readonly width: Length | null; readonly height: Length | null; readonly fit: Fit }
  | { readonly by: 'percent'; readonly percent: number }
  | { readonly by: 'longest'; readonly side: number };

/** Every page, or only the first. */
export const PAGE_CHOICES = ['all', 'first'] as const;
export type PageChoice = (typeof PAGE_CHOICES)[number];

/** What a TIFF is coded with unless something else is chosen; every program reads it. */
export const USUAL_COMPRESSION: Compression = 'lzw';

export interface Recipe {
  readonly size: SizeWish;
  /** Whether small pictures may grow. */
  readonly enlarge: boolean;
  readonly format: 'same' | WritableFormat;
  /** Of files with several pages. */
  readonly pages: PageChoice;
  /** Of icons with several entries. */
  readonly entries: EntryChoice;
  readonly metadata: MetadataPolicy;
  /** `auto` is like the original. */
  readonly quality: 'auto' | number;
  /** Of icons that are written; none stands for the usual ones up to the wished size. */
  readonly iconSizes: readonly IconSide[];
  readonly effort: Effort;
  readonly compression: Compression;
  readonly kernel: Kernel;
  readonly light: Light;
  /** What shows through transparent areas where the format has no transparency. */
  readonly background: Rgb;
  /** What `pad` paints beside the picture. */
  readonly border: Rgba;
  /** The pattern of file names; `naming.ts` has its tokens. */
  readonly fileNames: string;
}
