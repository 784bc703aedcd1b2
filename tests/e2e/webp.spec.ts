// WebP files, which a module of their own writes, checked with libvips.

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { also, expect, makePicture, type Resizer, test } from './resizer.ts';

const BALL = path.resolve(import.meta.dirname, '../fixtures/pictures/ball.gif');

async function saveAs({ page }: Resizer, format: string): Promise<void> {
  await page.getByLabel('Save as').selectOption(format);
}

test('an animation goes from GIF to WebP and back with all frames', async ({ resizer, folder }) => {
  await resizer.add(BALL);
  await resizer.width.fill('12');
  await resizer.toggleCards('Format');
  await saveAs(resizer, 'webp');
  await resizer.run();
  const webp = await resizer.saved();
  expect(webp.name).toBe('ball-12x8.webp');
  const animation = { width: 12, pages: 3, pageHeight: 8, loop: 3, delay: [50, 100, 70], hasAlpha: true };
  expect(await sharp(webp.bytes, { animated: true }).metadata()).toMatchObject({ format: 'webp', ...animation });

  const file = path.join(folder, 'again.webp');
  fs.writeFileSync(file, webp.bytes);
  await resizer.add(file);
  await saveAs(resizer, 'gif');
  await resizer.run();
  await expect(resizer.row('again.webp')).toContainText('Done');
});

test(
  'a photograph becomes a WebP of the chosen quality, or one without loss',
  also({ firefox: 'a worker with two modules, under the policy of the site' }),
  async ({ resizer, folder }) => {
    await resizer.add(await makePicture(path.join(folder, 'photo.jpg'), { width: 400, height: 300 }));
    await resizer.width.fill('200');
    await resizer.toggleCards('Format', 'Advanced');
    await saveAs(resizer, 'webp');
    await resizer.run();
    const lossy = await resizer.saved();
    expect(await sharp(lossy.bytes).metadata()).toMatchObject({ format: 'webp', width: 200, height: 150 });
    expect(lossy.bytes.toString('latin1', 12, 16)).toBe('VP8 ');

    await resizer.page.getByLabel('Lossless WebP').selectOption('yes');
    await expect(resizer.page.getByLabel('Quality')).toBeHidden();
    await resizer.run();
    const lossless = await resizer.saved();
    expect(lossless.bytes.toString('latin1', 12, 16)).toBe('VP8L');
    expect(lossless.bytes.length).toBeGreaterThan(lossy.bytes.length);
  },
);
