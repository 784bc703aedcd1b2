// A size for one image alone.

import path from 'node:path';
import type { Locator } from 'playwright/test';
import { violations } from './axe.ts';
import { also, expect, headerOf, makePicture, type Resizer, test, unzip } from './resizer.ts';

async function add(resizer: Resizer, folder: string, ...names: string[]): Promise<void> {
  const files = [];
  for (const name of names) files.push(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
  await resizer.add(files);
  for (const name of names) await expect(resizer.row(name)).toContainText('400 × 300');
}

/** Opens the fields in the preview of an image with the keyboard. */
async function openFields(resizer: Resizer, name: string): Promise<Locator> {
  const { page } = resizer;
  await page.getByRole('button', { name: `Preview ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Size of this image').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel(/^Width/)).toBeFocused();
  return dialog;
}

test(
  'one image gets its own size, the others that of the settings; the row says so and takes it back',
  also({ firefox: 'fields in a modal dialog, keys', phone: 'the dialog fills the screen' }),
  async ({ resizer, folder, page }) => {
    await add(resizer, folder, 'a.jpg', 'b.jpg', 'c.jpg');
    await resizer.width.fill('200');
    const dialog = await openFields(resizer, 'b.jpg');
    await expect(dialog.getByLabel(/^Height/)).toHaveAttribute('placeholder', '150');
    await page.keyboard.type('50%');
    await expect(dialog).toContainText('400 × 300 → 200 × 150');
    await dialog.getByLabel(/^Width/).fill('80');
    await expect(dialog).toContainText('400 × 300 → 80 × 60');
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel(/^Height/).fill('0');
    await expect(dialog).toContainText('Enter a whole number from 1 to');
    await expect(dialog.getByLabel(/^Height/)).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel(/^Height/).fill('');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Preview b.jpg' })).toBeFocused();
    await expect(resizer.row('b.jpg')).toContainText('80 × 60');
    await expect(resizer.row('b.jpg')).toContainText('This image has a size of its own.');

    await resizer.run();
    const files = unzip((await resizer.saved()).bytes);
    expect(await Promise.all(files.map(async ({ bytes }) => (await headerOf(bytes)).width))).toEqual([200, 80, 200]);
    expect(files.map(({ name }) => name)).toContain('b-80x60.jpg');

    await resizer.row('b.jpg').getByRole('button', { name: 'Use the common size' }).click();
    await expect(resizer.row('b.jpg')).toContainText('Settings changed');
    await expect(resizer.row('a.jpg')).toContainText('Done');
    await expect(page.locator('body')).not.toBeFocused();
    await resizer.run();
    await expect(resizer.row('b.jpg')).toContainText('200 × 150');
  },
);

test('a size of its own stays when other images are previewed, and is kept by Undo', async ({
  resizer,
  folder,
  page,
}) => {
  await add(resizer, folder, 'a.jpg', 'b.jpg');
  const dialog = await openFields(resizer, 'a.jpg');
  await page.keyboard.type('100x50');
  await expect(dialog).toContainText('400 × 300 → 67 × 50');
  await dialog.getByRole('button', { name: 'Next image' }).click();
  await expect(dialog.getByRole('heading')).toHaveText('b.jpg');
  await expect(dialog.getByLabel(/^Width/)).not.toBeVisible();
  await dialog.getByRole('button', { name: 'Previous image' }).click();
  await expect(dialog.getByLabel(/^Width/)).toHaveValue('100');
  await expect(dialog.getByLabel(/^Height/)).toHaveValue('50');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(resizer.row('a.jpg')).toContainText('67 × 50');
  await (await openFields(resizer, 'b.jpg')).getByRole('button', { name: 'Previous image' }).click();
  await dialog.getByRole('button', { name: 'Use the common size' }).click();
  await expect(dialog.getByLabel(/^Width/)).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(resizer.row('a.jpg')).not.toContainText('size of its own');
});

test('a result of its own size survives a killed tab', async ({ resizer, folder, page, context }) => {
  await add(resizer, folder, 'a.jpg');
  await openFields(resizer, 'a.jpg');
  await page.keyboard.type('90');
  await page.keyboard.press('Escape');
  await resizer.run();
  // The copy is written after the result is shown.
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const root = await navigator.storage.getDirectory();
        const visits = await root.getDirectoryHandle('results', { create: true });
        for await (const visit of visits.values()) {
          if (visit.kind === 'directory') for await (const name of visit.keys()) if (name === '0.json') return true;
        }
        return false;
      }),
    )
    .toBe(true);
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  const later = await context.newPage();
  await later.goto('/');
  const message = later.getByRole('region', { name: 'Message' }).filter({ hasText: 'from your last visit' });
  const [download] = await Promise.all([
    later.waitForEvent('download'),
    message.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('a-90x68.jpg');
});
