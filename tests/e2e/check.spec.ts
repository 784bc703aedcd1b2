// "Check it yourself": what the box tells is what the server and the browser say.

import { expect, test } from './resizer.ts';

test('the box tells the policies that the server sent, the requests and the build', async ({ resizer, request }) => {
  const { page } = resizer;
  await page.getByRole('button', { name: 'Check it yourself' }).click();
  const box = page.getByRole('dialog', { name: 'Check it yourself' });
  const policy = (await request.get('/')).headers()['content-security-policy'] ?? '';
  expect(policy).toContain("connect-src 'self'");
  const shown = box.locator('pre');
  await expect(shown.first()).toHaveText(policy.replace(/; */g, ';\n'));
  await expect(shown.nth(1)).toContainText("connect-src 'none'");
  await expect(box.getByText(/^So far this page has loaded \d+ files; none came from another site\.$/)).toBeVisible();
  const { build } = await (await request.get('/page-data/app-data.json')).json();
  await expect(box).toContainText(`Build ${build}`);
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Check it yourself' })).toBeFocused();
});
