// The icons that a web app needs, with the names under which browsers and tools look for them. The sizes are those of the
// Web App Manifest's installability criteria (192, 512), of Apple's touch icon (180) and of Windows' small icons.

import type { WritableFormat } from './formats.ts';

export interface AppIcon {
  readonly name: string;
  readonly format: WritableFormat;
  /** The sides of its squares, ascending: several in an ICO. */
  readonly sides: readonly number[];
  /** The empty pixels on each side. */
  readonly padding: number;
  /**
   * Whether it has no transparent areas: iOS shows them black (Apple, "Configuring Web Applications"), and a mask needs a
   * picture up to its edges.
   */
  readonly isOpaque: boolean;
}

/**
 * The safe zone of a maskable icon is a circle with a radius of 40 % of the side (Web App Manifest, "Icon masks and safe
 * zone"), so that a tenth of the side is empty all around.
 */
const MASKABLE_PADDING = 51;

export const APP_ICONS: readonly AppIcon[] = [
  { name: 'icon-512.png', format: 'png', sides: [512], padding: 0, isOpaque: false },
  { name: 'icon-192.png', format: 'png', sides: [192], padding: 0, isOpaque: false },
  { name: 'icon-maskable-512.png', format: 'png', sides: [512], padding: MASKABLE_PADDING, isOpaque: true },
  { name: 'apple-touch-icon.png', format: 'png', sides: [180], padding: 0, isOpaque: true },
  { name: 'favicon.ico', format: 'ico', sides: [16, 32, 48], padding: 0, isOpaque: false },
];
