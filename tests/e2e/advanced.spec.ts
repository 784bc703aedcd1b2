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

test('limited ringing keeps results in the range of the image', async ({ resizer, folder }) => {
  const [dark, light] = [60, 190];
  const columns = Uint8Array.from({ length: 300 * 200 }, (_, i) => ((i % 300) % 40 < 20 ? dark : light));
  const file = path.join(folder, 'bars.png');
  await sharp(columns, { raw: { width: 300, height: 200, channels: 1 } })
    .png()
    .toFile(file);
  const range = async () => {
    const { data } = await sharp((await resizer.saved()).bytes)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [Math.min(...data), Math.max(...data)];
  };
  await resizer.add(file);
  await resizer.width.fill('130');
  await resizer.run();
  const [darkest = 0, lightest = 0] = await range();
  expect(darkest).toBeLessThan(dark - 3);
  expect(lightest).toBeGreaterThan(light + 3);
  await resizer.toggleCards('Advanced');
  await resizer.page.getByLabel('Ringing at hard edges').selectOption('Limit');
  await resizer.run();
  expect(await range()).toEqual([dark, light]);
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
