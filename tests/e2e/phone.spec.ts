// Small screens and large text: the bar at the bottom, the first screen, and the Enter key.

import fs from 'node:fs';
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

  test('with fifty images, another width is one tap away, and the list keeps its place', async ({
    resizer,
    folder,
    page,
  }) => {
    const first = await makePicture(path.join(folder, '0.jpg'), { width: 400, height: 300 });
    const files = Array.from({ length: 50 }, (_, i) => path.join(folder, `${i}.jpg`));
    for (const file of files.slice(1)) fs.copyFileSync(first, file);
    await resizer.add(files);
    await expect(resizer.row('49.jpg')).toContainText('400 × 300');
    await resizer.width.fill('300');
    await expect(resizer.row('49.jpg')).toContainText('Ready');
    await page.evaluate(() => window.scrollTo(0, 800));
    const place = () => resizer.row('12.jpg').evaluate((row) => Math.round(row.getBoundingClientRect().top));
    await expect(resizer.row('12.jpg')).toBeInViewport();
    const before = await place();
    const heights = await resizer.rows.evaluateAll((rows) => rows.slice(10, 20).map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThanOrEqual(96);
    const summary = page.getByRole('button', { name: /px wide · Same as original/ });
    await expect(summary).toHaveText('300 px wide · Same as original · 50 will shrink');
    await summary.tap();
    await expect(resizer.width).toBeFocused();
    await page.keyboard.type('200');
    await expect(summary).toHaveText('200 px wide · Same as original · 50 will shrink');
    expect(
      await page.evaluate(() => document.querySelector('main')?.querySelector('h1')?.closest('[inert]') !== null),
    ).toBe(true);
    await page.keyboard.press('Enter');
    await expect(summary).toHaveAttribute('aria-expanded', 'false');
    await expect(summary).toBeFocused();
    expect(await place()).toBe(before);
    expect(await page.evaluate(() => document.querySelector('[inert]'))).toBeNull();
    // Escape and a tap beside the sheet close it, and a run does.
    await summary.tap();
    await page.keyboard.press('Escape');
    await expect(summary).toHaveAttribute('aria-expanded', 'false');
    await summary.tap();
    await page.touchscreen.tap(195, 20);
    await expect(summary).toHaveAttribute('aria-expanded', 'false');
    await summary.tap();
    await resizer.resize.tap();
    await expect(summary).toHaveAttribute('aria-expanded', 'false');
  });

  test('on its side, the sheet covers the bar and has a button that closes it', async ({ resizer, folder, page }) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 600, height: 400 }));
    await expect(resizer.row('a.jpg')).toContainText('600 × 400');
    const summary = page.getByRole('button', { name: /px wide · Same as original/ });
    await summary.tap();
    await expect(resizer.width).toBeInViewport();
    await page.getByRole('button', { name: 'Done', exact: true }).tap();
    await expect(summary).toHaveAttribute('aria-expanded', 'false');
  });
});
