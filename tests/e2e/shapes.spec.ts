// Images of another shape than the wished size: the focus of a crop, and the colour of borders.
import path from 'node:path';
import sharp from 'sharp';
import { expect, headerOf, makePicture, type Resizer, test, unzip } from './resizer.ts';

/** Writes a PNG of 300 × 100 pixels whose thirds are red, green and blue. */
async function makeStripes(folder: string): Promise<string> {
  const file = path.join(folder, 'stripes.png');
  const tile = (background: string) => ({ create: { width: 100, height: 100, channels: 3 as const, background } });
  await sharp({ create: { width: 300, height: 100, channels: 3, background: '#00ff00' } })
    .composite([
      { input: tile('#ff0000'), left: 0, top: 0 },
      { input: tile('#0000ff'), left: 200, top: 0 },
    ])
    .png()
    .toFile(file);
  return file;
}

/** Returns a function that reads the pixel at a position of the saved result: red, green, blue and alpha. */
async function pixelsOf(resizer: Resizer) {
  const image = sharp((await resizer.saved()).bytes).ensureAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([100, 100]);
  return (x: number, y: number) => [...data.subarray((y * 100 + x) * 4, (y * 100 + x) * 4 + 4)];
}

async function fill(resizer: Resizer, folder: string): Promise<void> {
  await resizer.add(await makeStripes(folder));
  await resizer.width.fill('100');
  await resizer.height.fill('100');
  await resizer.page.getByLabel('Keep proportions').uncheck();
}

test('a crop keeps the chosen part, also when it is chosen with arrow keys', async ({ resizer, folder }) => {
  await fill(resizer, folder);
  await resizer.page.getByRole('radio', { name: 'Left', exact: true }).check();
  await resizer.run();
  const left = await pixelsOf(resizer);
  for (const x of [0, 50, 99]) expect(left(x, 50)).toEqual([255, 0, 0, 255]);

  await resizer.page.getByRole('radio', { name: 'Left', exact: true }).focus();
  for (const _ of [1, 2, 3]) await resizer.page.keyboard.press('ArrowRight');
  await expect(resizer.page.getByRole('radio', { name: 'Right', exact: true })).toBeFocused();
  await expect(resizer.page.getByRole('radio', { name: 'Right', exact: true })).toBeChecked();
  await resizer.page.keyboard.press('ArrowDown');
  await expect(resizer.page.getByRole('radio', { name: 'Bottom right' })).toBeChecked();
  await expect(resizer.row('stripes.png')).toContainText('Settings changed');
  await resizer.run();
  await expect(resizer.row('stripes.png')).toContainText('Done');
  const right = await pixelsOf(resizer);
  for (const x of [0, 50, 99]) expect(right(x, 50)).toEqual([0, 0, 255, 255]);
});

test('the picture of the row shows what a crop keeps and what borders add, before the run', async ({
  resizer,
  folder,
  page,
}) => {
  await fill(resizer, folder);
  /** The colours of the thumbnail at positions along its middle row, in shares of its width. */
  const colors = (shares: readonly number[]) =>
    page.locator('[data-item] canvas').evaluate((element, shares) => {
      const canvas = element as HTMLCanvasElement;
      const context = canvas.getContext('2d', { willReadFrequently: true });
      return shares.map((share) => [
        ...(context?.getImageData(canvas.width * share, canvas.height / 2, 1, 1).data ?? []),
      ]);
    }, shares);
  await page.getByRole('radio', { name: 'Left', exact: true }).check();
  // The red third is kept; green and blue are darkened.
  await expect
    .poll(() => colors([0.15, 0.5, 0.85]))
    .toEqual([
      [255, 0, 0, 255],
      [0, 97, 0, 255],
      [0, 0, 97, 255],
    ]);
  await page.getByLabel('Add borders').check();
  await expect
    .poll(() => colors([0.15, 0.5, 0.85]))
    .toEqual([
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 255, 255],
    ]);
  const above = await page.locator('[data-item] canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    return [...(canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height * 0.2, 1, 1).data ?? [])];
  });
  expect(above).toEqual([255, 255, 255, 255]);
});

test('borders have the chosen colour, or are transparent', async ({ resizer, folder }) => {
  await fill(resizer, folder);
  await resizer.page.getByLabel('Add borders').check();
  await resizer.page.getByLabel('Colour of the borders').fill('#204080');
  await resizer.run();
  const colored = await pixelsOf(resizer);
  for (const y of [0, 32, 67, 99]) expect(colored(50, y)).toEqual([0x20, 0x40, 0x80, 255]);
  for (const y of [33, 50, 65]) expect(colored(50, y)).toEqual([0, 255, 0, 255]);

  await resizer.page.getByLabel('Transparent borders').check();
  await expect(resizer.row('stripes.png')).toContainText('Settings changed');
  await resizer.run();
  await expect(resizer.row('stripes.png')).toContainText('Done');
  const clear = await pixelsOf(resizer);
  for (const y of [0, 32, 67, 99]) expect(clear(50, y)[3]).toBe(0);
  for (const y of [33, 50, 65]) expect(clear(50, y)).toEqual([0, 255, 0, 255]);
});

test('a JPEG that is only turned loses nothing', async ({ resizer, folder, page }) => {
  const photo = path.join(folder, 'photo.jpg');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const source = { width: 640, height: 480, channels: 3, background: '#fff', noise } as const;
  await sharp({ create: source }).jpeg({ quality: 40 }).toFile(photo);
  await resizer.add([photo]);
  await resizer.width.fill('480');
  await page.getByText('More sizes').click();
  await page.getByRole('button', { name: 'Rotate right' }).click();
  await expect(resizer.row('photo.jpg')).toContainText('640 × 480 → 480 × 640');
  await resizer.run();
  const { bytes } = await resizer.saved();
  expect(await headerOf(bytes)).toEqual({ format: 'jpeg', width: 480, height: 640 });
  const samples = async (image: string | Buffer, turn: number) =>
    sharp(image).rotate(turn).greyscale().raw().toBuffer();
  const [before, after] = [await samples(photo, 90), await samples(bytes, 0)];
  const sum = before.reduce((all, sample, i) => all + Math.abs(sample - (after[i] ?? 0)), 0);
  // Encoded anew with the same quality, noise differs by more than three levels.
  expect(sum / before.length).toBeLessThan(0.5);
});

test('all images are turned with the buttons of the size card, and one image in its preview', async ({
  resizer,
  folder,
  page,
}) => {
  const photo = await makePicture(path.join(folder, 'photo.jpg'), { width: 400, height: 300 });
  await resizer.add([await makeStripes(folder), photo]);
  await resizer.width.fill('60');
  await page.getByText('More sizes').click();
  await page.getByRole('button', { name: 'Rotate right' }).click();
  await expect(resizer.row('stripes.png')).toContainText('300 × 100 → 60 × 180');
  await page.getByRole('button', { name: 'Preview photo.jpg' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Rotate left' }).click();
  await page.keyboard.press('Escape');
  await expect(resizer.row('photo.jpg')).toContainText('400 × 300 → 60 × 45');
  await resizer.run();
  const [stripes, other] = unzip((await resizer.saved()).bytes);
  expect(await headerOf(other?.bytes ?? Buffer.alloc(0))).toEqual({ format: 'jpeg', width: 60, height: 45 });
  // Red, green and blue from left to right are now from top to bottom.
  const { data, info } = await sharp(stripes?.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([60, 180]);
  const colors = [30, 90, 150].map((y) => [...data.subarray((y * 60 + 30) * 3, (y * 60 + 30) * 3 + 3)]);
  expect(colors).toEqual([
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ]);
  await page.getByRole('button', { name: 'Preview stripes.png' }).click();
  await expect(dialog.getByRole('slider')).toBeVisible();
});
