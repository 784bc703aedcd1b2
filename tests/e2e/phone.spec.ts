// Small screens and large text: the bar at the bottom, the first screen, and the Enter key.

import path from 'node:path';
import type { Page } from 'playwright/test';
import { expect, makePicture, test } from './resizer.ts';

/** Returns how the bar is positioned, and the part of the screen that it covers when it sticks. */
const barOf = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector<HTMLElement>('[data-bar]');
    const position = bar === null ? '' : getComputedStyle(bar).position;
    return { position, share: (bar?.offsetHeight ?? 0) / window.innerHeight };
  });

const screens = [
  { name: 'a phone', width: 390, height: 844, text: '100%' },
  { name: 'a phone with text of 200 %', width: 390, height: 844, text: '200%' },
  { name: 'a small phone with text of 200 %', width: 320, height: 640, text: '200%' },
  { name: 'a phone on its side', width: 844, height: 390, text: '100%' },
  { name: 'a laptop with a zoom of 200 %', width: 640, height: 450, text: '100%' },
];

test('the bar sticks only where it covers at most a third of the screen', async ({ resizer, folder, page }) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 2400, height: 1600 }));
  await resizer.run();
  for (const { name, width, height, text } of screens) {
    await page.setViewportSize({ width, height });
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, text);
    await expect
      .poll(async () => {
        const { position, share } = await barOf(page);
        return position === (share > 1 / 3 ? 'static' : 'sticky');
      }, name)
      .toBe(true);
  }
  // The usual phone keeps the bar in reach, and comes back to it.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await expect.poll(async () => (await barOf(page)).position).toBe('sticky');
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
