// Chunks that load later: the page says when one did not come, and tries again.

import path from 'node:path';
import { expect, makePicture, test } from './resizer.ts';

// A service worker would serve the chunks from its store.
test.use({ serviceWorkers: 'block' });

test('a list that did not load says so, and loads at another try', async ({ resizer, folder, page, browserName }) => {
  test.info().skip(browserName !== 'chromium', 'whether a failed import is fetched again differs by engine');
  const lists = '**/assets/list-*.js';
  await page.route(lists, (route) => route.abort());
  await resizer.open();
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
  const message = page.getByRole('alert').filter({ hasText: 'Part of the page could not be loaded.' });
  await expect(message).toBeVisible();
  await expect(page.getByText('A new version is ready.')).toHaveCount(0);
  await page.unroute(lists);
  await message.getByRole('button', { name: 'Try again' }).click();
  await expect(resizer.row('a.jpg')).toContainText('40 × 30');
});

test('saving whose code did not load says so, and works at another try', async ({
  resizer,
  folder,
  page,
  browserName,
}) => {
  test.info().skip(browserName !== 'chromium', 'whether a failed import is fetched again differs by engine');
  const saving = '**/assets/save-*.js';
  await page.route(saving, (route) => route.abort());
  await resizer.open();
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
  await expect(resizer.row('a.jpg')).toContainText('40 × 30');
  await resizer.resize.click();
  await resizer.save.click();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Could not save.');
  await page.unroute(saving);
  const [download] = await Promise.all([page.waitForEvent('download'), resizer.save.click()]);
  expect(download.suggestedFilename()).toBe('a.jpg');
});
