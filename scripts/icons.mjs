// @ts-check
// Draws web/public/icons/*.png from their SVG sources. Run by hand after a drawing has changed (`node scripts/icons.mjs`);
// the results are kept with the sources, so that building the site needs no image library.
import path from 'node:path';
import sharp from 'sharp';
import { root } from './toolchain.mjs';

const icons = path.join(root, 'web/public/icons');
const drawings = path.join(root, 'web/site/drawings');

/** @type {{ from: string, to: string, width: number, height: number }[]} */
const pictures = [
  { from: path.join(icons, 'icon.svg'), to: 'icon-32.png', width: 32, height: 32 },
  { from: path.join(icons, 'icon.svg'), to: 'icon-192.png', width: 192, height: 192 },
  { from: path.join(icons, 'icon.svg'), to: 'icon-512.png', width: 512, height: 512 },
  { from: path.join(drawings, 'icon-maskable.svg'), to: 'icon-180.png', width: 180, height: 180 },
  { from: path.join(drawings, 'icon-maskable.svg'), to: 'icon-maskable-512.png', width: 512, height: 512 },
  { from: path.join(drawings, 'card.svg'), to: 'card.png', width: 1200, height: 630 },
];

for (const { from, to, width, height } of pictures) {
  // Icons are flat and fit a palette; the card's gradients would show bands.
  // Drawn at the size that is wanted, not scaled to it: SVG counts 72 dots an inch.
  const { width: own = width } = await sharp(from).metadata();
  const drawn = sharp(from, { density: (72 * width) / own }).resize(width, height);
  const { size } = await drawn.png({ compressionLevel: 9, palette: width === height }).toFile(path.join(icons, to));
  console.log(`${to}: ${width} × ${height}, ${size} bytes`);
}
