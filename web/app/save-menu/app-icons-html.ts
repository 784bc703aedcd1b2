// HTML and the part of a web app's manifest that name the icons of the app.

import { APP_ICONS, type AppIcon } from '../../domain/app-icons.ts';
import { FORMATS } from '../../domain/formats.ts';
import type { Item } from '../state/item.ts';

/** Whether the results of an item are the icons of a web app. */
export function hasAppIcons({ phase }: Pick<Item, 'phase'>): boolean {
  return phase.phase === 'done' && phase.outputs.some(({ name }) => name !== undefined);
}

const sizesOf = ({ sides }: AppIcon) => sides.map((side) => `${side}x${side}`).join(' ');

/**
 * Returns the elements for the head of a page, and the list of icons for its manifest. The addresses are those of icons in
 * the site's root, where browsers look for `favicon.ico` and `apple-touch-icon.png` without being told.
 */
export function appIconsHtml(): string {
  const find = (start: string) => APP_ICONS.filter(({ name }) => name.startsWith(start));
  const icons = find('icon-').map((icon) => ({
    src: `/${icon.name}`,
    sizes: sizesOf(icon),
    type: FORMATS[icon.format].mime,
    ...(icon.padding === 0 ? {} : { purpose: 'maskable' }),
  }));
  return [
    ...find('favicon').map((icon) => `<link rel="icon" href="/${icon.name}" sizes="${sizesOf(icon)}">`),
    ...find('apple').map(({ name }) => `<link rel="apple-touch-icon" href="/${name}">`),
    '<link rel="manifest" href="/manifest.webmanifest">',
    '',
    '<!-- manifest.webmanifest:',
    JSON.stringify({ icons }, null, 2),
    '-->',
  ].join('\n');
}
