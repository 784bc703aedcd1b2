// Lists with failed files and with the same file twice, the time left, the lock of the screen, and where the focus goes.

import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { violations } from './axe.ts';
import { also, expect, makePicture, type Resizer, test } from './resizer.ts';

/** Writes files that cannot be used: two that are no images, and one that is empty. */
function unusableFiles(folder: string): string[] {
  const texts = { 'one.txt': 'no image', 'two.txt': 'none either', 'empty.jpg': '' };
  return Object.entries(texts).map(([name, text]) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  });
}

test('formats that cannot be opened are named before the choice, and units in the names of fields', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByText('Not yet: RAW')).toBeVisible();
  for (const name of ['Width in pixels', 'Height in pixels', 'Longest side in pixels']) {
    await expect(page.getByRole('textbox', { name, exact: true })).toBeVisible();
  }
});

test('failed files can be shown alone, under their reasons', async ({ resizer, folder, page }) => {
  const good = await makePicture(path.join(folder, 'good.jpg'), { width: 400, height: 300 });
  await resizer.add([good, ...unusableFiles(folder)]);
  await expect(page.getByText(/^4 files · 1 image · /)).toBeVisible();
  await page.getByRole('button', { name: 'Show 3 failed' }).click();
  await expect(page.locator('[data-item]')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Remove one.txt' })).toBeFocused();
  const twice = page.getByRole('list', { name: '2 files: Not an image.' });
  await expect(twice.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText('Not an image.').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByText('This file is empty.').filter({ visible: true })).toHaveCount(1);

  await page.getByRole('button', { name: 'Remove one.txt' }).click();
  await expect(page.getByText('Only the failed files are shown: 2 of 3.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).first().click();
  await expect(page.locator('[data-item]')).toHaveCount(3);
});

test('a file that is added twice is marked, and the copies can be removed', async ({ resizer, folder, page }) => {
  const files = [];
  for (const name of ['a.jpg', 'b.jpg']) {
    files.push(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
  }
  await resizer.add(files);
  await expect(resizer.row('b.jpg')).toContainText('400 × 300');
  await resizer.add(files);
  await expect(page.getByText('2 files were added twice.')).toBeVisible();
  await expect(resizer.rows.nth(0)).not.toContainText('added twice');
  await expect(resizer.rows.nth(2)).toContainText('added twice');
  await page.getByRole('button', { name: 'Remove the copies' }).click();
  await expect(resizer.rows).toHaveCount(2);
  await expect(page.getByText('2 images removed.').first()).toBeVisible();
});

/** Lets `window.screenLocks` hold the locks that the page requests. */
const observeScreenLocks = () => {
  const locks: WakeLockSentinel[] = [];
  Object.assign(window, { screenLocks: locks });
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (type) {
    const lock = await request.call(this, type);
    locks.push(lock);
    return lock;
  };
};

const screenLocks = (page: Page) =>
  page.evaluate(() => (window as unknown as { screenLocks: WakeLockSentinel[] }).screenLocks.map((l) => l.released));

test('during a run the screen stays on, and the time left is shown', async ({ resizer, folder, page }) => {
  await page.context().grantPermissions(['screen-wake-lock']);
  await page.addInitScript(observeScreenLocks);
  await page.reload();
  const large = await makePicture(path.join(folder, '0.jpg'), { width: 2000, height: 1500 });
  const files = Array.from({ length: 40 }, (_, i) => path.join(folder, `${i}.jpg`));
  for (const file of files.slice(1)) fs.copyFileSync(large, file);
  await resizer.add(files);
  await expect(resizer.row('39.jpg')).toContainText('2000 × 1500');
  await resizer.width.fill('300');
  await resizer.resize.click();
  await expect.poll(() => screenLocks(page)).toEqual([false]);
  await expect(page.getByText(/^Resizing \d+ of 40 · (about \d+ \w+|a few seconds) left$/)).toBeVisible();
  await expect(page.getByText(/^40 images resized\./).first()).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => screenLocks(page)).toEqual([true]);
});

test('the focus is never lost, whatever button it is on', async ({ resizer, folder, page }) => {
  const focused = () => page.evaluate(() => document.activeElement?.tagName ?? 'none');
  const press = async (name: string, exact = true) => {
    await page.getByRole('button', { name, exact }).first().focus();
    await page.keyboard.press('Enter');
    // React may render, and move the focus, a frame later.
    await page.waitForTimeout(200);
    expect(await focused(), name).not.toBe('BODY');
  };
  const files = [];
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
    files.push(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
  }
  const unread = unusableFiles(folder);
  await page.route('**/assets/worker/*.js', (route) => route.abort());
  await resizer.open();
  await resizer.add(files);
  await expect(resizer.row('a.jpg')).toContainText('Part of the page could not be loaded.');
  await page.unroute('**/assets/worker/*.js');
  await press('Try a.jpg again');
  await press('Try again');
  await expect(resizer.row('c.jpg')).toContainText('400 × 300');
  await resizer.add([...unread, ...files]);
  await press('Show 3 failed');
  await press('Remove one.txt');
  await press('Remove two.txt');
  await press('Remove empty.jpg');
  await press('Remove the copies');
  await press('Undo');
  await press('Remove the copies');
  await press('Close');
  await resizer.width.fill('100');
  await press('Resize Images');
  await expect(page.getByText(/^3 of 6 images resized\./).first()).toBeVisible();
  await press('Save a.jpg');
  await press('Close');
  await press('Preview a.jpg');
  await press('Close');
  await press('Reset settings');
  await press('Remove c.jpg');
  await press('Undo');
  await press('Clear all');
  await press('Undo');
});

/** Adds a list that is many times as long as the screen. */
async function addLongList(resizer: Resizer, folder: string) {
  const small = await makePicture(path.join(folder, '000.png'), { width: 40, height: 30, format: 'png' });
  const files = Array.from({ length: 120 }, (_, i) => path.join(folder, `${String(i).padStart(3, '0')}.png`));
  for (const file of files.slice(1)) fs.copyFileSync(small, file);
  await resizer.add(files);
  await expect(resizer.rows.and(resizer.page.locator('[data-phase=ready]'))).toHaveCount(120);
}

test('every row of a long list follows the settings, after Clear all and Undo, too', async ({
  resizer,
  folder,
  page,
}) => {
  await addLongList(resizer, folder);
  await resizer.width.fill('20');
  const followers = page.getByRole('listitem', { name: /becomes 20 by 15/ });
  await expect(followers).toHaveCount(120);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(followers).toHaveCount(120);
  await expect(page.getByRole('button', { name: 'Remove 000.png' })).toBeFocused();
});

test(
  'rows far from the screen have their names only; they are whole where somebody scrolls or finds them',
  also({ firefox: 'observers of visibility, content-visibility, find in page' }),
  async ({ resizer, folder, page }) => {
    await addLongList(resizer, folder);
    await resizer.width.fill('20');
    const row = resizer.row('119.png');
    await expect(row).toHaveText('119.png');
    await expect(row).toHaveAccessibleName(/^119\.png, 40 by 30, .*becomes 20 by 15.*Ready$/);
    await expect(row.locator('button')).toHaveCount(0);
    expect(await violations(page)).toEqual([]);

    const height = await row.evaluate(() => document.documentElement.scrollHeight);
    // Browsers search from the selection on, which is in the field.
    await page.getByRole('heading', { level: 1 }).click();
    // Without regard to case, forwards, and from the beginning after the end.
    const isFound = await page.evaluate(() =>
      (window as unknown as { find(...options: unknown[]): boolean }).find('119.png', false, false, true),
    );
    expect(isFound).toBe(true);
    await expect(row).toBeInViewport();
    await expect(row.getByRole('button', { name: 'Preview 119.png' })).toBeVisible();
    await expect(row).toContainText('40 × 30');
    const ratio = (await row.evaluate(() => document.documentElement.scrollHeight)) / height;
    expect(Math.abs(ratio - 1)).toBeLessThan(0.02);

    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(row.locator('button')).toHaveCount(0);
    await expect(resizer.row('000.png').getByRole('button', { name: 'Preview 000.png' })).toBeVisible();
  },
);

test('the focus stays in a row that is scrolled away, and goes on from there', async ({ resizer, folder, page }) => {
  await addLongList(resizer, folder);
  await page.getByRole('button', { name: 'Remove 002.png' }).focus();
  await page.evaluate(() => document.querySelector('[data-item]:last-child')?.scrollIntoView());
  await expect(page.getByRole('button', { name: 'Remove 119.png' })).toBeVisible();
  await expect(resizer.row('009.png').locator('button')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove 002.png' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Preview 003.png' })).toBeFocused();
  for (const name of ['Remove 003.png', 'Preview 004.png', 'Remove 004.png']) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name })).toBeFocused();
  }
});

test('the preview leaves the focus at the image that it showed last, however far that is', async ({
  resizer,
  folder,
  page,
}) => {
  await addLongList(resizer, folder);
  await page.getByRole('button', { name: 'Preview 000.png' }).click();
  const next = page.getByRole('dialog').getByRole('button', { name: 'Next image' });
  for (let i = 0; i < 80; i++) await next.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('080.png');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Preview 080.png' })).toBeFocused();
});
