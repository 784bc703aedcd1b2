// The crop of one image alone, in its preview.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
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

const cropFrame = (dialog: Locator) => dialog.getByRole('application', { name: 'Crop; the arrow keys move it' });
const focusFrame = (dialog: Locator) => dialog.getByRole('application', { name: 'Part to keep' });

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('the element is not visible');
  return box;
};

/** Drags from a point of an element, in shares of its sides, by a way in pixels. */
async function drag(page: Page, element: Locator, from: readonly [number, number], way: readonly [number, number]) {
  const { x, y, width, height } = await boxOf(element);
  const start = [x + from[0] * width, y + from[1] * height] as const;
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(start[0] + way[0] / 2, start[1] + way[1] / 2);
  await page.mouse.move(start[0] + way[0], start[1] + way[1]);
  await page.mouse.up();
}

/** Returns the values of the fields: the place and the size of the crop. */
function cropOf(dialog: Locator): Promise<number[]> {
  const labels = ['From the left', 'From the top', 'Crop width', 'Crop height'];
  return Promise.all(labels.map(async (label) => Number(await dialog.getByLabel(label).inputValue())));
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
    const frame = await cropFrame(dialog).boundingBox();
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

/** Opens the preview, which compares the result with the original, and the fields. */
async function openFieldsAgain({ page }: Resizer, dialog: Locator): Promise<void> {
  await page.getByRole('button', { name: 'Preview a.png' }).click();
  await expect(dialog.getByRole('slider')).toBeVisible();
  await dialog.getByText('Crop this image').click();
  await expect(dialog.getByLabel('From the left')).toBeVisible();
}

test(
  'the frame of a crop is moved, and its edges and corners are dragged; the result has the pixels inside it',
  also({ firefox: 'pointer events on the frame' }),
  async ({ resizer, folder, page }) => {
    const file = await makeGradient(folder, 'a.png');
    await resizer.add(file);
    await expect(resizer.row('a.png')).toContainText('40 × 30');
    const dialog = await openFields(resizer, 'a.png');
    const picture = await boxOf(dialog.getByRole('img'));
    const pixel = picture.width / 40;
    const frame = cropFrame(dialog);
    await drag(page, frame, [0.01, 0.01], [8 * pixel, 6 * pixel]);
    await expect.poll(() => cropOf(dialog)).toEqual([8, 6, 32, 24]);
    await drag(page, frame, [0.99, 0.5], [-12 * pixel, 0]);
    await expect.poll(() => cropOf(dialog)).toEqual([8, 6, 20, 24]);
    await drag(page, frame, [0.5, 0.99], [0, -9 * pixel]);
    await expect.poll(() => cropOf(dialog)).toEqual([8, 6, 20, 15]);
    await drag(page, frame, [0.5, 0.5], [5 * pixel, -15 * pixel]);
    await expect.poll(() => cropOf(dialog)).toEqual([13, 0, 20, 15]);
    await frame.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key);
    await expect.poll(() => cropOf(dialog)).toEqual([14, 1, 20, 15]);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await resizer.run();
    const { data } = await rawOf((await resizer.saved()).bytes);
    const area = { left: 14, top: 1, width: 20, height: 15 };
    expect(data).toEqual(await sharp(file).extract(area).removeAlpha().raw().toBuffer());

    // The result is compared until the fields are opened; then the frame lies over the original.
    await page.getByRole('button', { name: 'Preview a.png' }).click();
    await expect(dialog.getByRole('slider')).toBeVisible();
    await expect(frame).toHaveCount(0);
    await dialog.getByText('Crop this image').click();
    await expect(dialog.getByRole('slider')).toHaveCount(0);
    await drag(page, frame, [0.01, 0.01], [-2 * pixel, 0]);
    expect((await cropOf(dialog))[0]).toBeLessThan(14);
    await page.keyboard.press('Escape');
    await expect(resizer.row('a.png')).toContainText('Settings changed');
    // The result is stale: the frame is shown at once.
    await page.getByRole('button', { name: 'Preview a.png' }).click();
    await expect(frame).toBeVisible();
  },
);

test('the shape of a crop can be that of the result, or its own', async ({ resizer, folder, page }) => {
  await resizer.add([await makeGradient(folder, 'a.png')]);
  await expect(resizer.row('a.png')).toContainText('40 × 30');
  await resizer.width.fill('20');
  await resizer.height.fill('5');
  const dialog = await openFields(resizer, 'a.png');
  const shape = dialog.getByLabel('Shape of the result (20 × 5)');
  await shape.check();
  await expect.poll(() => cropOf(dialog)).toEqual([0, 10, 40, 10]);
  const pixel = (await boxOf(dialog.getByRole('img'))).width / 40;
  await drag(page, cropFrame(dialog), [0.99, 0.99], [-20 * pixel, 0]);
  // Of both sides, the one that was dragged less decides.
  await expect.poll(() => cropOf(dialog)).toEqual([0, 10, 40, 10]);
  await drag(page, cropFrame(dialog), [0.99, 0.99], [-20 * pixel, -5 * pixel]);
  await expect.poll(() => cropOf(dialog)).toEqual([0, 10, 20, 5]);
  await dialog.getByLabel('Crop width').fill('8');
  await expect.poll(() => cropOf(dialog)).toEqual([0, 10, 8, 2]);
  await shape.uncheck();
  await dialog.getByLabel('Crop width').fill('16');
  await expect.poll(() => cropOf(dialog)).toEqual([0, 10, 16, 2]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await resizer.height.fill('');
  await page.getByRole('button', { name: 'Preview a.png' }).click();
  await dialog.getByLabel('Keep its shape').check();
  await dialog.getByLabel('Crop height').fill('4');
  await expect.poll(() => cropOf(dialog)).toEqual([0, 10, 32, 4]);
  await dialog.getByRole('button', { name: 'Rotate right' }).click();
  await dialog.getByLabel('Crop height').fill('16');
  expect((await cropOf(dialog)).slice(2)).toEqual([2, 16]);
});

test(
  'a finger moves the frame and its corners on a phone',
  also({ phone: 'touch gestures' }),
  async ({ resizer, folder, page, isMobile }) => {
    test.info().skip(!isMobile, 'only for touch screens');
    await page.setViewportSize({ width: 390, height: 844 });
    await resizer.add([await makeGradient(folder, 'a.png')]);
    await expect(resizer.row('a.png')).toContainText('40 × 30');
    const dialog = await openFields(resizer, 'a.png');
    const client = await page.context().newCDPSession(page);
    const swipe = async (from: readonly [number, number], way: readonly [number, number]) => {
      const { x, y, width, height } = await boxOf(cropFrame(dialog));
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
        client.send('Input.dispatchTouchEvent', {
          type,
          touchPoints:
            type === 'touchEnd'
              ? []
              : [{ x: x + from[0] * width + share * way[0], y: y + from[1] * height + share * way[1] }],
        });
      await send('touchStart', 0);
      for (const share of [0.25, 0.5, 0.75, 1]) await send('touchMove', share);
      await send('touchEnd', 1);
    };
    const pixel = (await boxOf(dialog.getByRole('img'))).width / 40;
    // Beside the corner: the handle is larger than its mark.
    await swipe([0.98, 0.98], [-20 * pixel, -15 * pixel]);
    await expect.poll(() => cropOf(dialog)).toEqual([0, 0, 20, 15]);
    await swipe([0.5, 0.5], [10 * pixel, 7 * pixel]);
    await expect.poll(() => cropOf(dialog)).toEqual([10, 7, 20, 15]);
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
  },
);

test('every page of a TIFF is cropped; a file whose images differ in size says why it cannot be', async ({
  resizer,
  folder,
  page,
}) => {
  const [one, other] = [await makeGradient(folder, 'a.png'), path.join(folder, 'b.png')];
  await sharp(one).negate({ alpha: false }).toFile(other);
  const pages = path.join(folder, 'pages.tif');
  execFileSync('convert', [one, other, pages]);
  const icon = path.join(folder, 'icon.ico');
  const small = path.join(folder, 'small.png');
  await sharp(one).resize(16, 16, { fit: 'fill' }).toFile(small);
  execFileSync('icotool', ['--create', '--output', icon, one, small]);
  await resizer.add([pages, icon]);
  await expect(resizer.row('pages.tif')).toContainText('40 × 30');
  const dialog = await openFields(resizer, 'pages.tif');
  await dialog.getByLabel('Crop width').fill('10');
  await dialog.getByLabel('Crop height').fill('6');
  await dialog.getByLabel('From the left').fill('20');
  await dialog.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(cropFrame(dialog)).toBeVisible();
  await dialog.getByRole('button', { name: 'Next image' }).click();
  await dialog.getByText('Crop this image').click();
  await expect(dialog).toContainText('The images in this file differ in size, so one crop cannot fit them all.');
  await expect(cropFrame(dialog)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await resizer.run();
  const files = unzip((await resizer.saved()).bytes);
  const cropped = files.find(({ name }) => name.startsWith('pages'))?.bytes ?? Buffer.alloc(0);
  const area = { left: 20, top: 0, width: 10, height: 6 };
  for (const [i, source] of [one, other].entries()) {
    const data = await sharp(cropped, { page: i }).removeAlpha().raw().toBuffer();
    expect(data).toEqual(await sharp(source).extract(area).removeAlpha().raw().toBuffer());
  }
});

test(
  'the part that stays when images are cropped to another shape is dragged in a preview, for all images',
  also({ firefox: 'pointer events on the frame' }),
  async ({ resizer, folder, page }) => {
    const files = [await makeGradient(folder, 'a.png'), await makeGradient(folder, 'b.png')];
    await resizer.add(files);
    await resizer.width.fill('15');
    await resizer.height.fill('30');
    await page.getByLabel('Keep proportions').uncheck();
    await page.getByRole('button', { name: 'Preview b.png' }).click();
    const dialog = page.getByRole('dialog');
    const frame = focusFrame(dialog);
    await expect(frame).toBeVisible();
    const pixel = (await boxOf(dialog.getByRole('img'))).width / 40;
    expect(((await boxOf(frame)).x - (await boxOf(dialog.getByRole('img'))).x) / pixel).toBeCloseTo(12, 0);
    await drag(page, frame, [0.5, 0.5], [-7 * pixel, 5 * pixel]);
    await expect(dialog).toContainText('20% from the left, 50% from the top');
    await frame.focus();
    for (const key of ['ArrowRight', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
    await expect(dialog).toContainText('28% from the left');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('radio', { name: 'Centre', exact: true })).not.toBeChecked();
    await expect(page.getByText('28% from the left, 50% from the top')).toBeVisible();
    await resizer.run();
    const area = { left: 7, top: 0, width: 15, height: 30 };
    for (const { bytes } of unzip((await resizer.saved()).bytes)) {
      expect((await rawOf(bytes)).data).toEqual(await sharp(files[0]).extract(area).removeAlpha().raw().toBuffer());
    }
    // It is stored, and the grid of nine places takes it back.
    await resizer.open();
    await expect(page.getByText('28% from the left, 50% from the top')).toBeVisible();
    await page.getByRole('radio', { name: 'Left', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'Centre', exact: true })).toBeChecked();
  },
);
