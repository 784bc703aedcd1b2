// Presets, and links to a page with settings.

import path from 'node:path';
import { expect, makePicture, test } from './resizer.ts';

test('presets of the page and of the visitor set the form; own presets stay and can be removed', async ({
  resizer,
}) => {
  const { page } = resizer;
  const width = page.getByLabel('Width', { exact: false }).first();
  await resizer.toggleCards('Presets');
  await page.getByRole('button', { name: 'Small 800' }).click();
  await expect(width).toHaveValue('800');
  await expect(page.getByRole('button', { name: 'Small 800' })).toHaveAttribute('aria-pressed', 'true');
  await width.fill('640');
  await page.getByLabel('Name of a new preset').fill('  Shop  ');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'HD 1280' }).click();
  await page.reload();
  await resizer.toggleCards('Presets');
  await page.getByRole('button', { name: 'Shop', exact: true }).click();
  await expect(width).toHaveValue('640');
  await page.getByRole('button', { name: 'Remove the preset Shop' }).click();
  await expect(page.getByRole('button', { name: 'Shop', exact: true })).toHaveCount(0);
  await expect(width).toHaveValue('640');
});

test('a copied link gives another visitor the settings; a damaged one changes nothing', async ({
  resizer,
  browser,
}) => {
  const { page } = resizer;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel('Width', { exact: false }).first().fill('333');
  await resizer.toggleCards('Presets');
  await page.getByRole('button', { name: 'Copy link to these settings' }).click();
  await expect(page.getByText('The link is on the clipboard.').first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await browser.newContext();
  const visitor = await other.newPage();
  const asked: string[] = [];
  visitor.on('request', (request) => asked.push(request.url()));
  await visitor.goto(link);
  const width = visitor.getByLabel('Width', { exact: false }).first();
  await expect(width).toHaveValue('333');
  await expect(visitor.getByText('The settings come from the link.').first()).toBeVisible();
  expect(visitor.url()).not.toContain('#');
  expect(asked.some((url) => url.includes('333'))).toBe(false);

  await width.fill('444');
  await visitor.evaluate(() => location.assign('#settings=%7Bdamaged'));
  await expect(visitor.getByText('The settings in the link are damaged.').first()).toBeVisible();
  await expect(width).toHaveValue('444');
  await other.close();
});

test('the preset for e-mail limits each file; a second press takes the limit back', async ({
  resizer,
  folder,
  page,
}) => {
  const file = await makePicture(path.join(folder, 'noise.jpg'), { width: 1500, height: 1500 });
  await resizer.add(file);
  await resizer.toggleCards('Presets');
  const preset = page.getByRole('button', { name: 'Email: under 500 KB' });
  await preset.click();
  await expect(preset).toHaveAttribute('aria-pressed', 'true');
  await resizer.run();
  const limited = (await resizer.saved()).bytes.length;
  expect(limited).toBeLessThanOrEqual(500 * 1024);
  expect(limited).toBeGreaterThan(450 * 1024);
  await preset.click();
  await expect(preset).toHaveAttribute('aria-pressed', 'false');
  await resizer.run();
  expect((await resizer.saved()).bytes.length).toBeGreaterThan(500 * 1024);
});
