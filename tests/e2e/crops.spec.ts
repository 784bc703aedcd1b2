// The crop of one image alone, in its preview.

import path from 'node:path';
import type { Locator } from 'playwright/test';
import sharp from 'sharp';
import { violations } from './axe.ts';
import { also, expect, type Resizer, test, unzip } from './resizer.ts';

/** Writes a PNG of 40 × 30 pixels, each with a colour of its own. */
async function makeGradient(folder: string, name: string): Promise<string> {
  const file = path.join(folder, name);
  const bytes = Buffer.from(
    Array.from({ length: 40 * 30 }, (_, i) => [(i % 40) * 6, Math.floor(i / 40) * 8, 128]).flat(),
  );
  await sharp(bytes, { raw: { width: 40, height: 30, channels: 3 } })
    .png()
    .toFile(file);
  return file;
}

function rawOf(image: string | Buffer) {
  return sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

/** Opens the fields in the preview of an image with the keyboard. The first field has the focus. */
async function openFields({ page }: Resizer, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Preview ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Crop this image').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel('From the left')).toBeFocused();
  return dialog;
}

test(
  'the result of a cropped image has the pixels of its crop; the row says so and takes it back',
  also({ firefox: 'fields in a modal dialog, keys', phone: 'the dialog fills the screen' }),
  async ({ resizer, folder, page }) => {
    const files = [await makeGradient(folder, 'a.png'), await makeGradient(folder, 'b.png')];
    await resizer.add(files);
    await expect(resizer.row('b.png')).toContainText('40 × 30');
    const dialog = await openFields(resizer, 'b.png');
    for (const text of ['7', '5', '20', '10']) {
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    expect(await violations(page)).toEqual([]);
    // The frame lies over the crop.
    const picture = await dialog.getByRole('img').boundingBox();
    const frame = await dialog.locator('[class*=cropFrame], [class*=crop-frame]').boundingBox();
    if (picture === null || frame === null) throw new Error('the picture and the frame are shown');
    expect((frame.x - picture.x) / picture.width).toBeCloseTo(7 / 40, 2);
    expect((frame.y - picture.y) / picture.height).toBeCloseTo(5 / 30, 2);
    expect(frame.width / picture.width).toBeCloseTo(20 / 40, 2);
    expect(frame.height / picture.height).toBeCloseTo(10 / 30, 2);
    await dialog.getByLabel('From the left').fill('40');
    await expect(dialog).toContainText('Enter a whole number from 0 to 39.');
    await expect(dialog.getByLabel('From the left')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('From the left').fill('7');
    await expect(dialog).not.toContainText('Enter a whole number');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Preview b.png' })).toBeFocused();
    await expect(resizer.row('b.png')).toContainText('20 × 10');
    await expect(resizer.row('b.png')).toContainText('This image is cropped.');

    await resizer.run();
    const [first, second] = unzip((await resizer.saved()).bytes);
    if (first === undefined || second === undefined) throw new Error('two files are expected');
    expect((await rawOf(first.bytes)).data).toEqual((await rawOf(files[0] ?? '')).data);
    const { data, info } = await rawOf(second.bytes);
    expect([info.width, info.height]).toEqual([20, 10]);
    const area = { left: 7, top: 5, width: 20, height: 10 };
    expect(data).toEqual(await sharp(files[1]).extract(area).removeAlpha().raw().toBuffer());

    await resizer.row('b.png').getByRole('button', { name: 'Use the whole image' }).click();
    await expect(resizer.row('b.png')).not.toContainText('cropped');
    await expect(resizer.row('b.png')).toContainText('Settings changed');
    await expect(page.locator('body')).not.toBeFocused();
  },
);

test('a crop turns with its image and is kept by Undo', async ({ resizer, folder, page }) => {
  await resizer.add([await makeGradient(folder, 'a.png')]);
  await expect(resizer.row('a.png')).toContainText('40 × 30');
  const dialog = await openFields(resizer, 'a.png');
  await dialog.getByLabel('Crop width').fill('20');
  await dialog.getByLabel('Crop height').fill('10');
  await dialog.getByRole('button', { name: 'Rotate right' }).click();
  await expect(dialog.getByLabel('From the left')).toHaveValue('20');
  await expect(dialog.getByLabel('Crop width')).toHaveValue('10');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(resizer.row('a.png')).toContainText('This image is cropped.');
  await resizer.run();
  const { data } = await rawOf((await resizer.saved()).bytes);
  const area = { left: 0, top: 0, width: 20, height: 10 };
  const cut = await sharp(path.join(folder, 'a.png')).extract(area).png().toBuffer();
  expect(data).toEqual(await sharp(cut).rotate(90).removeAlpha().raw().toBuffer());
  await openFieldsAgain(resizer, dialog);
  await dialog.getByRole('button', { name: 'Use the whole image' }).click();
  await expect(dialog.getByLabel('Crop width')).toHaveValue('30');
  await page.keyboard.press('Escape');
  await expect(resizer.row('a.png')).not.toContainText('cropped');
});

/** Opens the preview, whose fields are open because the image is cropped. */
async function openFieldsAgain({ page }: Resizer, dialog: Locator): Promise<void> {
  await page.getByRole('button', { name: 'Preview a.png' }).click();
  await expect(dialog.getByLabel('From the left')).toBeVisible();
}
