// Drawings in the page: SVG files to pixels, and to SVG files of another size.

import { expect, headerOf, test } from './resizer.ts';

const MARKUP = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><path d="M0 0H600V400" fill="#c33"/></svg>`;
const logo = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(MARKUP) };

test('an SVG is saved as SVG and as PNG, also offline after the first use', async ({ resizer, context }) => {
  const { page } = resizer;
  await expect(page.locator('footer')).toContainText('except SVG');
  await resizer.add(logo);
  await expect(resizer.row('logo.svg')).toContainText('600');
  await resizer.width.fill('300');
  await resizer.run();
  const drawing = await resizer.saved();
  expect(drawing.name).toBe('logo-300x200.svg');
  expect(drawing.bytes.toString()).toContain('viewBox="0 0 600 400"');

  await expect(page.locator('footer')).not.toContainText('except SVG');
  await context.setOffline(true);
  await resizer.open();
  await resizer.add(logo);
  await resizer.width.fill('300');
  await resizer.toggleCards('Format');
  await page.getByLabel('Save as').selectOption('png');
  await resizer.run();
  const { name, bytes } = await resizer.saved();
  expect(name).toBe('logo-300x200.png');
  expect(await headerOf(bytes)).toEqual({ format: 'png', width: 300, height: 200 });
});
