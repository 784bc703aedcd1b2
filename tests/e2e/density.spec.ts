// Sizes in centimetres and inches, and the density that results state, read by libvips.

import path from 'node:path';
import sharp from 'sharp';
import { also, expect, makePicture, test } from './resizer.ts';

test('a size in centimetres is converted by the typed DPI, which the result states', async ({ resizer, folder }) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 2000, height: 1000 }));
  await resizer.width.fill('10cm');
  await expect(resizer.row('a.jpg')).toContainText('2000 × 1000 → 1181 × 591');
  await resizer.run();
  expect(await sharp((await resizer.saved()).bytes).metadata()).toMatchObject({ width: 1181, density: 300 });

  await resizer.page.getByText('More sizes').click();
  const dpi = resizer.page.getByLabel('DPI, pixels per inch');
  await dpi.fill('0');
  await expect(resizer.page.getByText('Enter a DPI from 1 to 9,600')).toBeVisible();
  await dpi.fill('150');
  await expect(resizer.row('a.jpg')).toContainText('2000 × 1000 → 591 × 296');
  await resizer.run();
  expect(await sharp((await resizer.saved()).bytes).metadata()).toMatchObject({ width: 591, density: 150 });
});

test(
  'a phone, whose keyboard for numbers has no letters, has a choice of units',
  also({ phone: 'the settings are a sheet' }),
  async ({ resizer, folder, page, isMobile }) => {
    await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 2000, height: 1000 }));
    await expect(resizer.row('a.jpg')).toContainText('2000 × 1000');
    if (isMobile)
      await page
        .getByRole('button', { name: /Settings|px wide/ })
        .first()
        .click();
    await page.getByText('More sizes').click();
    await page.getByLabel('Unit of lengths').selectOption('cm');
    // The number is converted, and the other fields follow in centimetres.
    const width = page.getByLabel('Width, cm');
    await expect(width).toHaveValue('16.26');
    await expect(page.getByLabel('Height, cm')).toHaveAttribute('placeholder', '8.1');
    await width.fill('10');
    await expect(resizer.row('a.jpg')).toContainText('2000 × 1000 → 1181 × 591');
    await page.getByLabel('Unit of lengths').selectOption('px');
    await expect(page.getByLabel('Width in pixels')).toHaveValue('1181');
  },
);

for (const format of ['jpeg', 'png', 'tiff'] as const) {
  test(`an image that keeps its size states the typed DPI, with the same pixels: ${format}`, async ({
    resizer,
    folder,
  }) => {
    const file = await makePicture(path.join(folder, `a.${format}`), { width: 300, height: 200, format });
    await resizer.add(file);
    await resizer.page.getByText('More sizes').click();
    await resizer.page.getByLabel('DPI, pixels per inch').fill('254');
    await resizer.run();
    const { bytes } = await resizer.saved();
    const { width, density = 0 } = await sharp(bytes).metadata();
    expect(width).toBe(300);
    expect(Math.round(density)).toBe(254);
    expect((await sharp(bytes).raw().toBuffer()).equals(await sharp(file).raw().toBuffer())).toBe(true);
  });
}
