// HTML for results in several widths: an image with `srcset`, from which a browser chooses the width that it needs.

import type { FileToSave } from '../save/index.ts';
import type { Item, OutputFile } from '../state/item.ts';
import { hasAppIcons } from './app-icons-html.ts';

/** Whether an item has results of several widths. */
export function hasWidths({ phase }: Pick<Item, 'phase'>): boolean {
  return (
    phase.phase === 'done' &&
    !hasAppIcons({ phase }) &&
    Object.values(byFrame(phase.outputs)).some((outputs) => outputs.length > 1)
  );
}

/** Returns an `img` element for each image that has results of several widths, each on its own line. */
export function srcsetHtml(files: readonly FileToSave[]): string {
  const items = new Set(files.map(({ item }) => item));
  const elements = [...items].flatMap((item) => {
    const { phase } = item;
    if (phase.phase !== 'done' || hasAppIcons({ phase })) return [];
    const own = files.filter((file) => file.item === item);
    const images = phase.outputs.map((output, part) => ({ ...output, path: own[part]?.path ?? '' }));
    return Object.values(byFrame(images)).flatMap((widths) => (widths.length > 1 ? [elementOf(widths)] : []));
  });
  return elements.join('\n');
}

type Named = Pick<OutputFile, 'width' | 'height'> & { readonly path: string };

/** Returns the element for one image, whose widths descend. `sizes` says that the image is as wide as the window. */
function elementOf(widths: readonly Named[]): string {
  const [widest] = widths;
  if (widest === undefined) throw new Error('an image has no widths');
  const srcset = widths.map(({ path, width }) => `${urlOf(path)} ${width}w`).join(', ');
  const { width, height } = widest;
  const box = `width="${width}" height="${height}"`;
  return `<img src="${urlOf(widest.path)}" srcset="${srcset}" sizes="100vw" ${box} alt="">`;
}

/** Returns a path as a relative address. */
function urlOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function byFrame<T extends { readonly frame: number }>(outputs: readonly T[]): Record<number, T[]> {
  const groups: Record<number, T[]> = {};
  for (const output of outputs) groups[output.frame] = [...(groups[output.frame] ?? []), output];
  return groups;
}
