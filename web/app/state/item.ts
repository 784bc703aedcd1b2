// The items: the files that the user added, each with its phase.

import { FORMATS, type Format, type WritableFormat } from '../../domain/formats.ts';
import type { MetadataPolicy, Rect } from '../../domain/job.ts';
import type { KeptReason } from '../../domain/keep.ts';
import type { OwnSize } from '../../domain/own-size.ts';
import type { Size } from '../../domain/picture.ts';
import type { Recipe } from '../../domain/recipe.ts';
import type { Turn } from '../../domain/turns.ts';
import type { Failure, ImageInfo, ResizeResult, Warning } from '../../engine/index.ts';

export type ItemId = number;

/** The reason why an item has no result: a failure of the engine, or a plan that cannot be executed. */
export type ItemFailure = Failure | PlanFailure;

/** The reason why a plan cannot be executed. */
export type PlanFailure =
  /** The result would be longer than the format can hold. */
  | { readonly code: 'too-long'; readonly format: WritableFormat; readonly max: number }
  /** The result would be so large that a typing mistake is likely. */
  | { readonly code: 'huge'; readonly size: Size };

export type Phase =
  | { readonly phase: 'reading' }
  | { readonly phase: 'ready' }
  /** The item is part of a run, which keeps the recipe that it started with, with the choices for this item. */
  | { readonly phase: 'waiting'; readonly recipe: Recipe }
  /** The engine is at work. `images` is the number of frames, pages or sizes that it makes. */
  | { readonly phase: 'running'; readonly recipe: Recipe; readonly fraction: number; readonly images: number }
  /** The file has results. `resultKey` identifies the settings that produced them: see `resultKeyOf`. */
  | { readonly phase: 'done'; readonly outputs: OutputFiles; readonly resultKey: string; readonly saved: boolean }
  /**
   * The original's pixels are the result. `result` is the file with other metadata; null if the original is the result.
   */
  | {
      readonly phase: 'kept';
      readonly reason: KeptReason;
      readonly rewrittenFor: MetadataPolicy | null;
      readonly resultKey: string;
      readonly result: ResizeResult | null;
    }
  /** The file has no result. `resultKey` is null if the file cannot be used with any settings. */
  | { readonly phase: 'failed'; readonly failure: ItemFailure; readonly resultKey: string | null };

/** A file that the engine has written. */
export interface OutputFile extends ResizeResult {
  /** The index of the source page, frame or icon entry, or of the first one. */
  readonly frame: number;
  /** The turn of its images, if there is one. */
  readonly turn?: Turn;
  /** The name of the file, if its use demands one. */
  readonly name?: string;
  /** The limit in bytes that the file exceeds, because no quality reaches it; not given for other files. */
  readonly exceeds?: number;
}

/** The outputs of one item: one file, or one for each page if the format holds one page only. */
export type OutputFiles = readonly [OutputFile, ...OutputFile[]];

export interface Item {
  readonly id: ItemId;
  readonly file: File;
  /** The name with its folders, as added: `holiday/IMG_0012.JPG`. */
  readonly path: string;
  /** The facts from the header; null until the header has been read. */
  readonly info: ImageInfo | null;
  /** Whether the file stays animated if the chosen format has no animation. */
  readonly staysAnimated: boolean;
  /** Whether the item may use more memory than the device should spare. */
  readonly hasNoMemoryLimit?: boolean;
  /** The turn of this image alone, before that of the settings; none if it is not given. */
  readonly turn?: Turn;
  /** The used area of the upright image before its turns; all of it if it is null or not given. */
  readonly crop?: Rect | null;
  /** The size of this image alone; that of the settings if it is null or not given. */
  readonly ownSize?: OwnSize | null;
  readonly phase: Phase;
}

/** A file and its name with its folders. */
export interface AddedFile {
  readonly file: File;
  readonly path: string;
}

/** The files of a drop, a paste or a file dialog. */
export interface AddedFiles {
  readonly files: readonly AddedFile[];
  /** The names of folders in which no image was found. */
  readonly emptyFolders: readonly string[];
}

export function nameOf({ path }: Pick<Item, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the recipe of an item's next result: that of its run, or else the current one. */
export function recipeOf({ phase }: Item, current: Recipe | null): Recipe | null {
  return 'recipe' in phase ? phase.recipe : current;
}

/** Whether a retry can succeed without any change. A retry reads the header if `info` is null, else it resizes. */
export function isRetryable({ phase }: Item): boolean {
  return phase.phase === 'failed' && RETRYABLE.has(phase.failure.code);
}

/** The failures that depend on the device and the moment, not on the file. */
const RETRYABLE: ReadonlySet<ItemFailure['code']> = new Set([
  'crashed',
  'memory',
  'write',
  'part-missing',
  'cancelled',
]);

/** Returns the files that saving would write for this item. */
export function outputBlobs({ file, phase }: Item): readonly Blob[] {
  if (phase.phase === 'done') return phase.outputs.map(({ blob }) => blob);
  return phase.phase === 'kept' ? [phase.result?.blob ?? file] : [];
}

/**
 * Returns how many frames were left out because they are damaged, and the number of all frames; null if none was. The
 * header tells the frames that the file lacks, and the report those that could not be decoded.
 */
export function skippedFrames(warnings: readonly Warning[]): { readonly skipped: number; readonly of: number } | null {
  const found = new Map<number, number>();
  for (const warning of warnings) if (warning.code === 'frames-skipped') found.set(warning.of, warning.skipped);
  if (found.size === 0) return null;
  const skipped = [...found.values()].reduce((sum, count) => sum + count, 0);
  return { skipped, of: Math.max(...found.keys()) };
}

/** Returns the total size of several files. */
export function bytesOf(blobs: readonly Blob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0);
}

/** Returns the name of a format as users write it. */
export function formatName(format: Format): string {
  return FORMATS[format].name;
}
