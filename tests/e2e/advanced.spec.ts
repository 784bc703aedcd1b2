// Advanced settings that change pixels, checked with libvips.

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, makePicture, test } from './resizer.ts';

/** Returns the mean difference between neighbours of a row, in levels. */
async function contrastOf(bytes: Buffer): Promise<number> {
  const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const steps = data.subarray(1).map((level, i) => Math.abs(level - (data[i] ?? 0)));
  return steps.reduce((sum, step) => sum + step, 0) / steps.length;
}

test('images that get smaller are sharpened, and those that keep their size are not', async ({ resizer, folder }) => {
  const file = await makePicture(path.join(folder, 'a.png'), { width: 300, height: 200, format: 'png' });
  await resizer.add(file);
  await resizer.width.fill('150');
  await resizer.run();
  const plain = await resizer.saved();
  await resizer.toggleCards('Advanced');
  await resizer.page.getByLabel('Sharpen after shrinking').selectOption('Strong');
  await resizer.run();
  const sharper = await resizer.saved();
  expect(await contrastOf(sharper.bytes)).toBeGreaterThan(1.05 * (await contrastOf(plain.bytes)));
  await resizer.width.fill('300');
  await resizer.run();
  expect((await resizer.saved()).bytes.equals(fs.readFileSync(file))).toBe(true);
});

test('colours become sRGB, also those of an image that keeps its size', async ({ resizer, folder }) => {
  const file = path.join(folder, 'p3.jpg');
  const orange = { create: { width: 200, height: 100, channels: 3 as const, background: '#c96433' } };
  await sharp(orange).withIccProfile('p3').jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toFile(file);
  await resizer.add(file);
  await resizer.toggleCards('Advanced');
  await resizer.page.getByLabel('Colour profile').selectOption('Convert to sRGB');
  await resizer.run();
  const { bytes } = await resizer.saved();
  expect((await sharp(bytes).metadata()).icc).toBeUndefined();
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  for (const [channel, want] of [0xc9, 0x64, 0x33].entries())
    expect(Math.abs((data[channel] ?? 0) - want)).toBeLessThan(4);
});
