// @ts-check
// Draws web/public/icons/*.png from their SVG sources. Run it by hand after changing a drawing (`node
// scripts/icons.mjs`). The results are committed, so that building the site needs no image library.
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
  // Icons have few colours and fit a palette; the gradients of the card would show bands. The SVG is rendered at the
  // target size, not scaled to it; SVG has 72 dots per inch.
  const { width: own = width } = await sharp(from).metadata();
  const drawn = sharp(from, { density: (72 * width) / own }).resize(width, height);
  const { size } = await drawn.png({ compressionLevel: 9, palette: width === height }).toFile(path.join(icons, to));
  console.log(`${to}: ${width} × ${height}, ${size} bytes`);
}
