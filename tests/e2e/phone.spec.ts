// Small screens and large text: the bar at the bottom, the first screen, and the Enter key. sheet.spec.ts has the sheet.

import path from 'node:path';
import type { Page } from 'playwright/test';
import { expect, makePicture, test } from './resizer.ts';

/** Returns the part of the screen that the bar covers. */
const coveredBy = (page: Page) =>
  page.evaluate(() => {
    const { top = 0, bottom = 0 } = document.querySelector('[data-bar]')?.getBoundingClientRect() ?? {};
    return Math.max(0, Math.min(bottom, window.innerHeight) - top) / window.innerHeight;
  });

const screens = [
  { name: 'a phone', width: 390, height: 844, text: '100%' },
  { name: 'a phone with text of 200 %', width: 390, height: 844, text: '200%' },
  { name: 'a small phone with text of 200 %', width: 320, height: 640, text: '200%' },
  { name: 'a phone on its side', width: 844, height: 390, text: '100%' },
  { name: 'a laptop with a zoom of 200 %', width: 640, height: 450, text: '100%' },
];

test('the bar covers at most a third of the screen and always shows the settings', async ({
  resizer,
  folder,
  page,
}) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 2400, height: 1600 }));
  await resizer.run();
  const summary = page.getByRole('button', { name: 'Settings: 1920 px wide · same format' });
  for (const { name, width, height, text } of screens) {
    await page.setViewportSize({ width, height });
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, text);
    await resizer.row('a.jpg').evaluate((row) => row.scrollIntoView());
    await expect.poll(() => coveredBy(page), name).toBeLessThanOrEqual(1 / 3);
    await expect(summary, name).toBeInViewport({ ratio: 1 });
  }
  // The usual phone keeps the whole bar in reach, and comes back to it.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await expect(resizer.save).toBeInViewport({ ratio: 1 });
});

test('Select Image is whole on the first screen of a phone on its side', async ({ resizer, page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(resizer.select).toBeInViewport({ ratio: 1 });
});

test('Enter in a number field resizes the images', async ({ resizer, folder }) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 600, height: 400 }));
  await expect(resizer.resize).toBeEnabled();
  await resizer.width.fill('300');
  await resizer.width.press('Enter');
  await expect(resizer.save).toBeEnabled();
  await expect(resizer.width).toBeFocused();
});

test.describe('with touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('Enter in a number field closes the keyboard; Save and Remove have a gap', async ({ resizer, folder, page }) => {
    await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 600, height: 400 }));
    await expect(resizer.resize).toBeEnabled();
    await resizer.width.fill('300');
    await resizer.width.press('Enter');
    await expect(resizer.width).not.toBeFocused();
    await expect(resizer.save).toBeDisabled();
    await resizer.run();
    const save = await page.getByRole('button', { name: 'Save a.jpg' }).boundingBox();
    const remove = await page.getByRole('button', { name: 'Remove a.jpg' }).boundingBox();
    expect((remove?.x ?? 0) - (save?.x ?? 0) - (save?.width ?? 0)).toBeGreaterThanOrEqual(8);
  });
});
