// Chunks that load later: the page shows a message if one fails to load, and loads it on retry.

import path from 'node:path';
import { expect, makePicture, test } from './resizer.ts';

test('a list that fails to load shows a message and loads on retry', async ({ resizer, folder, page, browserName }) => {
  test.info().skip(browserName !== 'chromium', 'engines differ in whether a failed import is requested again');
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

test('a save whose chunk fails to load shows a message and succeeds on retry', async ({
  resizer,
  folder,
  page,
  browserName,
}) => {
  test.info().skip(browserName !== 'chromium', 'engines differ in whether a failed import is requested again');
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

for (const { part, files } of [
  { part: 'the code of the queue', files: '**/assets/queue-work-*.js' },
  { part: 'the core', files: '**/assets/core*.wasm' },
  { part: 'the worker', files: '**/assets/worker/*.js' },
]) {
  test(`after ${part} did not load, a row can be tried again without adding the file anew`, async ({
    resizer,
    folder,
    page,
    browserName,
  }) => {
    test.info().skip(browserName !== 'chromium', 'engines differ in whether a failed import is requested again');
    await page.route(files, (route) => route.abort());
    await resizer.open();
    await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
    await expect(resizer.row('a.jpg')).toContainText('Part of the page could not be loaded.');
    await expect(page.getByText('A new version is ready.')).toHaveCount(0);
    await page.unroute(files);
    await page.getByRole('button', { name: 'Try a.jpg again' }).click();
    await expect(resizer.row('a.jpg')).toContainText('400 × 300');
    await resizer.width.fill('100');
    await resizer.run();
    await expect(resizer.row('a.jpg')).toContainText('Done');
  });
}

test.describe('with touch', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('Enter in a number field closes the keyboard, also before the list is loaded', async ({
    resizer,
    folder,
    page,
  }) => {
    await page.route('**/assets/list-*.js', () => undefined);
    await resizer.open();
    await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
    await resizer.width.press('Enter');
    await expect(resizer.width).not.toBeFocused();
  });
});
