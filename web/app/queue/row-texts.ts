// The texts of a row.

import { FORMATS, type Sequence } from '../../domain/formats.ts';
import type { Size } from '../../domain/picture.ts';
import { type Plan, sourceSize } from '../../domain/plan.ts';
import type { Words } from '../../i18n/index.ts';
import { formatName, type Item, nameOf } from '../state/item.ts';

export interface Sizes {
  readonly from: Size;
  readonly to: Size | null;
  /** The number of sizes in the result: more than one for an icon. */
  readonly held: number;
}

/** Returns the sizes of the source and of its result; null before the header has been read. */
export function sizesOf({ info, phase }: Item, plan: Plan | null): Sizes | null {
  if (info === null) return null;
  const from = sourceSize(info, plan);
  if (phase.phase === 'done') {
    const [to] = phase.outputs;
    return { from, to, held: FORMATS[to.format].holds === 'sizes' ? to.frames : 1 };
  }
  if (plan?.kind !== 'resize') return { from, to: null, held: 1 };
  return { from, to: plan.size, held: FORMATS[plan.format].holds === 'sizes' ? (plan.files[0]?.length ?? 1) : 1 };
}

/** The message that counts the images in one file. */
const COUNTED = {
  single: 'item.frames',
  animation: 'item.frames',
  pages: 'item.pages',
  sizes: 'item.pictures',
} as const satisfies Record<Sequence, string>;

/** Returns `holiday/day 1 · JPEG · 3.9MB`; the folder distinguishes files of the same name. */
export function factsOf({ path, file, info }: Item, { t, size }: Words): string[] {
  const bytes = size(file.size);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const where = folder === '' ? [] : [folder];
  if (info === null) return [...where, bytes];
  return [
    ...where,
    formatName(info.format),
    bytes,
    ...(info.depth > 8 ? [t('item.depth', { depth: info.depth })] : []),
    ...(info.frames > 1 ? [t(COUNTED[info.sequence], { count: info.frames })] : []),
  ];
}

export function stateText(item: Item, plan: Plan | null, stale: boolean, { t }: Words): string {
  const { phase } = item.phase;
  if (stale) return t('item.stale');
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
export function accessibleName(item: Item, plan: Plan | null, state: string, words: Words): string {
  const sizes = sizesOf(item, plan);
  const parts = [
    nameOf(item),
    ...(sizes === null ? [] : [words.t('item.name.size', { ...sizes.from })]),
    ...factsOf(item, words),
    ...(sizes?.to == null ? [] : [words.t('item.name.becomes', { ...sizes.to })]),
    ...(sizes === null || sizes.held === 1 ? [] : [words.t('item.entries', { count: sizes.held })]),
    state,
  ];
  // `Intl.ListFormat` is not used: in Chinese it writes no separator between units.
  return parts.join(words.t('item.name.separator'));
}
