// The preview: comparing with the slider, zooming, moving, going to other images, and images too large for the browser.

import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import sharp from 'sharp';
import { also, expect, makePicture, type Resizer, test } from './resizer.ts';

/** Adds three pictures, resizes them to a width of 600 pixels and opens the preview of the second one. */
async function openPreview(resizer: Resizer, folder: string): Promise<Locator> {
  const { page } = resizer;
  const files = [];
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
    files.push(await makePicture(path.join(folder, name), { width: 1200, height: 900 }));
  }
  await resizer.add(files);
  await expect(resizer.row('c.jpg')).toContainText('1200 × 900');
  await resizer.width.fill('600');
  await resizer.run();
  await page.getByRole('button', { name: 'Preview b.jpg' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('img')).toHaveCount(2);
  return dialog;
}

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('the element is not visible');
  return box;
};

test(
  'the line between before and after follows keys and the pointer',
  also({ firefox: 'range inputs and pointer events' }),
  async ({ resizer, folder, page }) => {
    const dialog = await openPreview(resizer, folder);
    const slider = dialog.getByRole('slider', { name: 'Compare before and after' });
    await slider.focus();
    for (const [key, text] of [
      ['Home', '0% before'],
      ['End', '100% before'],
      ['ArrowLeft', '99% before'],
      ['PageDown', '89% before'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(slider).toHaveAttribute('aria-valuetext', text);
    }
    const { x, y, width, height } = await boxOf(dialog.getByRole('img', { name: 'After' }));
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await expect(slider).toHaveValue('25');
  },
);

test(
  'the images can be zoomed and moved with buttons, the wheel, the pointer and keys',
  also({ firefox: 'wheel and pointer events' }),
  async ({ resizer, folder, page }) => {
    const dialog = await openPreview(resizer, folder);
    const after = dialog.getByRole('img', { name: 'After' });
    const level = (name: string) => dialog.getByRole('button', { name, exact: true });
    await expect(level('Fit')).toHaveAttribute('aria-pressed', 'true');
    const density = await page.evaluate(() => devicePixelRatio);

    await level('200%').click();
    await expect(level('200%')).toHaveAttribute('aria-pressed', 'true');
    const twice = await boxOf(after);
    expect(twice.width).toBeCloseTo(1200 / density, 0);

    const stage = await boxOf(dialog.getByRole('group', { name: 'Enlarged image; the arrow keys move it' }));
    const corner = { x: stage.x + 40, y: stage.y + 40 };
    await page.mouse.move(corner.x, corner.y);
    await page.mouse.down();
    await page.mouse.move(corner.x + 30, corner.y + 20, { steps: 3 });
    await page.mouse.up();
    expect((await boxOf(after)).y).toBeCloseTo(twice.y + 20, 0);
    await dialog.getByRole('group', { name: 'Enlarged image; the arrow keys move it' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await boxOf(after)).y).toBeLessThan(twice.y);

    await page.keyboard.press('0');
    await expect(level('Fit')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('1');
    await expect(level('100%')).toHaveAttribute('aria-pressed', 'true');
    const once = await boxOf(after);
    // The pixel under the pointer stays where it is.
    const pointer = { x: once.x + once.width * 0.75, y: once.y + once.height / 2 };
    await page.mouse.move(pointer.x, pointer.y);
    await page.mouse.wheel(0, -600);
    await expect.poll(async () => (await boxOf(after)).width).toBeGreaterThan(once.width * 2);
    const zoomed = await boxOf(after);
    expect(zoomed.x + zoomed.width * 0.75).toBeCloseTo(pointer.x, -1);
    await page.mouse.dblclick(pointer.x, pointer.y);
    await expect(level('Fit')).toHaveAttribute('aria-pressed', 'true');
  },
);

/** Moves two fingers apart on an element: each from 20 to 60 pixels from its middle. */
async function pinch(page: Page, element: Locator): Promise<void> {
  const { x, y, width, height } = await boxOf(element);
  const client = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove', distance: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [-1, 1].map((side) => ({ x: x + width / 2 + side * distance, y: y + height / 2, id: side + 1 })),
    });
  await touch('touchStart', 20);
  for (const distance of [30, 40, 50, 60]) await touch('touchMove', distance);
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test(
  'two fingers zoom, one finger moves the line',
  also({ phone: 'touch gestures' }),
  async ({ resizer, folder, page, isMobile }) => {
    test.info().skip(!isMobile, 'only for touch screens');
    const dialog = await openPreview(resizer, folder);
    const after = dialog.getByRole('img', { name: 'After' });
    const whole = await boxOf(after);
    await pinch(page, after);
    await expect.poll(async () => (await boxOf(after)).width).toBeGreaterThan(whole.width * 2);
    await dialog.getByRole('button', { name: 'Fit' }).tap();
    await page.touchscreen.tap(whole.x + whole.width * 0.75, whole.y + whole.height / 2);
    await expect(dialog.getByRole('slider')).toHaveValue('75');
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
  },
);

test('arrow keys and buttons go to other images; the focus returns to the last one', async ({
  resizer,
  folder,
  page,
}) => {
  const dialog = await openPreview(resizer, folder);
  const title = dialog.getByRole('heading');
  await expect(dialog).toContainText('2 of 3');
  await page.keyboard.press('ArrowRight');
  await expect(title).toHaveText('c.jpg');
  await expect(dialog.getByRole('button', { name: 'Next image' })).toBeDisabled();
  await page.keyboard.press('ArrowRight');
  await expect(title).toHaveText('c.jpg');
  await dialog.getByRole('button', { name: 'Previous image' }).click();
  await expect(title).toHaveText('b.jpg');
  await page.keyboard.press('ArrowLeft');
  await expect(title).toHaveText('a.jpg');
  await expect(dialog.getByRole('img', { name: 'After' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Preview a.jpg' })).toBeFocused();
});

test('the browser does not decode an image of 54 megapixels for its preview', async ({ resizer, folder, page }) => {
  const file = path.join(folder, 'large.jpg');
  await sharp({ create: { width: 9000, height: 6000, channels: 3, background: '#369' } })
    .jpeg()
    .toFile(file);
  await resizer.add(file);
  await page.getByRole('button', { name: 'Preview large.jpg' }).click();
  const before = page.getByRole('dialog').getByRole('img', { name: 'Before' });
  await expect(before).toBeVisible({ timeout: 30_000 });
  const shown = await before.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  expect(shown).toEqual([1600, 1067]);
  await expect(page.getByRole('dialog')).toContainText('9000 × 6000');
});
