// Requests of the page (none contains user data), and the prompt before results are lost.

import path from 'node:path';
import { also, expect, makePicture, test } from './resizer.ts';

test(
  'no request during a batch has a body or a query or goes to another origin',
  also({ quick: true }),
  async ({ resizer, folder, page, baseURL }) => {
    const requests: { url: string; method: string; body: string | null }[] = [];
    const broken: string[] = [];
    page.on('request', (request) => {
      requests.push({ url: request.url(), method: request.method(), body: request.postData() });
    });
    page.on('console', (message) => {
      if (/content security policy|trusted ?types?/i.test(message.text())) broken.push(message.text());
    });
    await page.reload();
    await resizer.add([
      await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }),
      await makePicture(path.join(folder, 'b.png'), { width: 400, height: 300, format: 'png' }),
    ]);
    await expect(resizer.row('b.png')).toContainText('400 × 300');
    await resizer.width.fill('100');
    await resizer.run();
    await resizer.saved();
    const sent = requests.filter(({ url }) => !url.startsWith('blob:'));
    // The remaining requests are for the page, its parts, and the data of the linked pages.
    expect(sent.filter(({ url }) => !url.startsWith(baseURL ?? '') || new URL(url).search !== '')).toEqual([]);
    expect(sent.filter(({ method, body }) => method !== 'GET' || body !== null)).toEqual([]);
    expect(broken).toEqual([]);
  },
);

test('leaving the page prompts only if results are unsaved', async ({ resizer, folder, page, browserName }) => {
  test.info().skip(browserName === 'firefox', 'Playwright does not report this dialog in Firefox');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
  await resizer.width.fill('100');
  await resizer.run();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await resizer.saved();
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  expect(asked).toEqual(['beforeunload']);
});

test('images can be resized if storage is blocked', async ({ page, resizer, folder }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  await page.reload();
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
  await resizer.width.fill('100');
  await resizer.run();
  await expect(resizer.row('a.jpg')).toContainText('Done');
});
