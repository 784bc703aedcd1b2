// The texts of a row.

import { FORMATS, type Format, type Sequence } from '../../domain/formats.ts';
import type { Size } from '../../domain/picture.ts';
import { type Plan, sourceSize } from '../../domain/plan.ts';
import type { ImageInfo } from '../../engine/index.ts';
import type { Words } from '../../i18n/index.ts';
import { formatName, type Item, nameOf } from '../state/item.ts';

export interface Sizes {
  readonly from: Size;
  readonly to: Size | null;
  /** What the result contains, such as `60 frames`; empty for one image. */
  readonly contents: string;
}

/** The texts of a row besides the name. */
export interface RowTexts {
  readonly sizes: Sizes | null;
  readonly facts: readonly string[];
  readonly state: string;
}

/** The images of a result: of each of its files, and the number of files. */
interface Held {
  readonly format: Format;
  readonly files: number;
  readonly frames: number;
}

/** The message that counts the images in one file. */
const COUNTED = {
  single: 'item.frames',
  animation: 'item.frames',
  pages: 'item.pages',
  sizes: 'item.pictures',
} as const satisfies Record<Sequence, string>;

/**
 * Returns the sizes of the source and of its result, or of the next result if the settings have changed; null before
 * the header has been read.
 */
export function sizesOf({ info, phase }: Item, plan: Plan | null, stale: boolean, words: Words): Sizes | null {
  if (info === null) return null;
  const from = sourceSize(info, plan);
  if (phase.phase === 'done' && !stale) {
    const { length: files, 0: to } = phase.outputs;
    return { from, to, contents: contentsOf(info, { format: to.format, files, frames: to.frames }, words) };
  }
  if (plan?.kind !== 'resize') return { from, to: null, contents: '' };
  const { format, files } = plan;
  const held = { format, files: files.length, frames: files[0]?.length ?? 1 };
  return { from, to: plan.size, contents: contentsOf(info, held, words) };
}

/** Returns `60 frames`, also for one frame of several, `12 pages`, `7 sizes` for an icon, or `12 files`. */
function contentsOf({ sequence, frames: sources }: ImageInfo, { format, files, frames }: Held, { t }: Words): string {
  if (files > 1) return t('item.files', { count: files });
  if (FORMATS[format].holds === 'sizes') return frames > 1 ? t('item.entries', { count: frames }) : '';
  return sources > 1 && sequence !== 'sizes' ? t(COUNTED[sequence], { count: frames }) : '';
}

/** Returns the format of the result, or of the next one if the settings have changed; null if there will be none. */
export function formatAfter({ phase }: Item, plan: Plan | null, stale: boolean): Format | null {
  if (phase.phase === 'done' && !stale) return phase.outputs[0].format;
  return plan?.kind === 'resize' ? plan.format : null;
}

/**
 * Returns `holiday/day 1`, `HEIC → JPEG` and `3.9MB`; the folder distinguishes files of the same name. A screen reader
 * gets words instead of the arrow.
 */
export function factsOf(
  { path, file, info }: Item,
  after: Format | null,
  { t, size }: Words,
  isSpoken = false,
): string[] {
  const bytes = size(file.size);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const where = folder === '' ? [] : [folder];
  if (info === null) return [...where, bytes];
  return [
    ...where,
    formatsText(formatName(info.format), formatName(after ?? info.format), t, isSpoken),
    bytes,
    ...(info.storedDepth > 8 ? [t('item.depth', { depth: info.storedDepth })] : []),
    ...(info.frames > 1 ? [t(COUNTED[info.sequence], { count: info.frames })] : []),
  ];
}

function formatsText(from: string, to: string, t: Words['t'], isSpoken: boolean): string {
  if (from === to) return from;
  return isSpoken ? t('item.name.formats', { from, to }) : `${from} → ${to}`;
}

/** The message that tells which of several images is being resized. */
const PROGRESS = {
  single: 'item.running.frame',
  animation: 'item.running.frame',
  pages: 'item.running.page',
  sizes: 'item.running.picture',
} as const satisfies Record<Sequence, string>;

export function stateText(item: Item, plan: Plan | null, stale: boolean, { t }: Words): string {
  const { phase } = item.phase;
  if (stale) return t('item.stale');
  if (phase === 'ready' && (plan?.kind === 'huge' || plan?.kind === 'too-long')) return t('item.impossible');
  if (item.phase.phase === 'running' && item.info !== null && item.info.frames > 1 && item.phase.images > 1) {
    const { fraction, images: total } = item.phase;
    return t(PROGRESS[item.info.sequence], { current: Math.min(total, Math.floor(fraction * total) + 1), total });
  }
  const isKept = phase === 'kept' || (phase === 'ready' && plan?.kind === 'kept');
  if (isKept) return t(rewritesMetadata(item, plan) ? 'item.notResized' : 'item.kept');
  return t(`item.${phase}`);
}

/** Whether the metadata of the original will be or has been rewritten. */
function rewritesMetadata({ phase }: Item, plan: Plan | null): boolean {
  if (phase.phase === 'kept') return phase.rewrittenFor !== null;
  return plan?.kind === 'kept' && plan.rewriteMetadata !== null;
}

/** Returns `IMG_0012.JPG, 4032 by 3024, JPEG, 3.9MB, becomes 1920 by 1440, Ready`. */
export function accessibleName(item: Item, { sizes, facts, state }: RowTexts, words: Words): string {
  const parts = [
    nameOf(item),
    ...(sizes === null ? [] : [words.t('item.name.size', { ...sizes.from })]),
    ...facts,
    ...(sizes?.to == null ? [] : [words.t('item.name.becomes', { ...sizes.to })]),
    ...(sizes === null || sizes.contents === '' ? [] : [sizes.contents]),
    state,
  ];
  // `Intl.ListFormat` is not used: in Chinese it writes no separator between units.
  return parts.join(words.t('item.name.separator'));
}
