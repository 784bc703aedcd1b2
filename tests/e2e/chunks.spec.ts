// Chunks that load later: the page says when one did not come, and tries again.

import path from 'node:path';
import { expect, makePicture, test } from './resizer.ts';

test('a list that did not load is told, and loads at another try', async ({ resizer, folder, page, browserName }) => {
  test.info().skip(browserName !== 'chromium', 'the others answer a second import from the first, failed one');
  const lists = '**/assets/list-*.js';
  await page.route(lists, (route) => route.abort());
  await resizer.open();
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
  const message = page.getByRole('alert').filter({ hasText: 'The page could not load completely.' });
  await expect(message).toBeVisible();
  await expect(page.getByText('A new version is ready.')).toHaveCount(0);
  await page.unroute(lists);
  await message.getByRole('button', { name: 'Try again' }).click();
  await expect(resizer.row('a.jpg')).toContainText('40 × 30');
});

test('saving that did not load is told, and works at another try', async ({ resizer, folder, page, browserName }) => {
  test.info().skip(browserName !== 'chromium', 'the others answer a second import from the first, failed one');
  const saving = '**/assets/save-*.js';
  await page.route(saving, (route) => route.abort());
  await resizer.open();
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
  await expect(resizer.row('a.jpg')).toContainText('40 × 30');
  await resizer.resize.click();
  await resizer.save.click();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('The page could not load completely.');
  await page.unroute(saving);
  const [download] = await Promise.all([page.waitForEvent('download'), resizer.save.click()]);
  expect(download.suggestedFilename()).toBe('a.jpg');
});
