// The states of the screen, from the first file to the saved results: the emphasised button, the row and the announcement.

import fs from 'node:fs';
import path from 'node:path';
import { also, expect, makePicture, Resizer, test } from './resizer.ts';

test(
  'the way from reading to saving: rows, buttons and announcements',
  also({ firefox: 'live regions and titles' }),
  async ({ page, folder, browserName }) => {
    // The headers wait for the core.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/core*.wasm', async (route) => {
      await held;
      await route.continue();
    });
    const resizer = new Resizer(page, undefined);
    await resizer.open();
    const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
    const files = [];
    for (const name of ['a.jpg', 'b.jpg']) {
      files.push(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
    }
    await resizer.add(files);
    await expect(resizer.row('a.jpg')).toContainText('Reading…');
    await expect(resizer.resize).toBeDisabled();
    await expect(resizer.save).toBeDisabled();
    release();
    await expect(resizer.row('a.jpg')).toContainText('Kept');
    await expect(said('2 images added.')).toBeAttached();

    await resizer.width.fill('100');
    await expect(resizer.row('a.jpg')).toContainText('Ready');
    await resizer.run();
    await expect(said(/2 images resized\..*Save is ready\./)).toBeAttached();
    await expect(resizer.row('a.jpg')).toContainText('Done');

    await resizer.width.fill('90');
    await expect(resizer.row('a.jpg')).toContainText('Settings changed');
    await expect(page.getByText('Settings changed. Resize again to update.').first()).toBeVisible();
    await expect(resizer.save).toBeEnabled();
    await resizer.width.fill('100');
    await expect(resizer.row('a.jpg')).toContainText('Done');
    // Firefox reports no download.
    if (browserName === 'firefox') return;
    expect((await resizer.saved()).name).toBe('resized-images.zip');
    await expect(said(/^Saved resized-images\.zip \(/)).toBeAttached();
  },
);

test('if no image can be resized, the page and the rows say so', async ({ resizer, folder, page }) => {
  const files = [];
  for (const name of ['a.jpg', 'b.jpg']) {
    files.push(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
  }
  await resizer.add(files);
  await resizer.width.fill('100');
  await expect(resizer.row('b.jpg')).toContainText('400 × 300 → 100 × 75');
  for (const file of files) fs.rmSync(file);
  await resizer.resize.click();
  await expect(page.getByText('No image could be resized.').first()).toBeVisible();
  await expect(resizer.row('a.jpg')).toContainText('This file was moved or changed. Add it again.');
  await expect(resizer.save).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Show 2 failed' })).toBeVisible();
});

test('a part of the page that is not stored yet is asked for when the network is back', async ({
  resizer,
  folder,
  context,
}) => {
  const drawing = path.join(folder, 'logo.svg');
  fs.writeFileSync(
    drawing,
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path d="M0 0h9v9z"/></svg>',
  );
  const photo = await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 });
  await resizer.add(photo);
  await expect(resizer.row('a.jpg')).toContainText('400 × 300');
  await context.setOffline(true);
  await resizer.add(drawing);
  await expect(resizer.row('logo.svg')).toContainText('Check your connection, then press Try again.');
  await context.setOffline(false);
  await resizer.row('logo.svg').getByRole('button', { name: 'Try logo.svg again' }).click();
  await expect(resizer.row('logo.svg')).toContainText('40 × 30');
});
