// Several images: hasty clicks, files that are added during a run, and where the focus goes.

import fs from 'node:fs';
import path from 'node:path';
import { also, expect, makePicture, test } from './resizer.ts';

test(
  'a double click does one thing, and the focus is never lost',
  also({ phone: 'double taps' }),
  async ({ resizer, folder, page }) => {
    const files = [];
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
      files.push(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
    }
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), resizer.select.click()]);
    await chooser.setFiles(files);
    await expect(page.getByRole('button', { name: 'Add images' })).toBeFocused();

    await resizer.width.fill('100');
    await resizer.resize.dblclick();
    await expect(page.getByText(/^3 images resized\./).first()).toBeVisible();
    // There is nothing left to do.
    await expect(resizer.resize).toBeDisabled();
    await expect(resizer.resize).toBeFocused();

    await page.getByRole('button', { name: 'Remove a.jpg' }).dblclick();
    await expect(resizer.rows).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove b.jpg' }).click();
    await expect(page.getByText('2 images removed.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(resizer.rows).toHaveCount(3);
    await expect(page.locator('[data-item] :focus')).toHaveCount(1);

    await page.getByRole('button', { name: 'Reset settings' }).click();
    await expect(resizer.width).toBeFocused();
  },
);

test('files that are added during a run join it, and its rows keep their promise', async ({
  resizer,
  folder,
  page,
}) => {
  const large = await makePicture(path.join(folder, '0.jpg'), { width: 3000, height: 2250 });
  // So many that the run goes on while the test changes the settings.
  const files = Array.from({ length: 24 }, (_, i) => path.join(folder, `${i}.jpg`));
  for (const file of files.slice(1)) fs.copyFileSync(large, file);
  const late = path.join(folder, 'late.jpg');
  fs.copyFileSync(large, late);
  await resizer.width.fill('1000');
  await resizer.add(files);
  await resizer.resize.click();
  await resizer.add(late);
  await resizer.width.fill('500');
  await expect(page.getByText('This run keeps the earlier settings.')).toBeVisible();
  await expect(resizer.row('23.jpg')).toContainText('1000 × 750');
  await expect(page.getByText('Settings changed. Resize again to update.').first()).toBeVisible({ timeout: 45_000 });
  await expect(resizer.row('late.jpg')).toContainText('3000 × 2250 → 500 × 375');
  await expect(resizer.row('late.jpg')).toContainText('now 1000 × 750');
});
