// What other resizers get wrong. These scenarios need the whole page; other tests cover the rest: flat colours and
// unchanged pixels (crates/pipeline/tests/it/pixels.rs), 16-bit ramps (accuracy.rs), first bytes and decoys (sniff.rs),
// names (web/domain/naming.test.ts), workers that die (engine.browser.test.ts), duplicate names (resize.spec.ts), names
// that contain HTML (intake.spec.ts), the keyboard and touch (everyone.spec.ts), files that fail (formats.spec.ts).

import path from 'node:path';
import sharp from 'sharp';
import { expect, headerOf, makePicture, test, unzip } from './resizer.ts';

test('a line of one pixel keeps at least one pixel, and transparency stays', async ({ resizer, folder }) => {
  const file = path.join(folder, 'line.png');
  const background = { r: 200, g: 100, b: 50, alpha: 0.5 };
  await sharp({ create: { width: 1, height: 5000, channels: 4, background } })
    .png()
    .toFile(file);
  await resizer.add(file);
  await expect(resizer.row('line.png')).toContainText('1 × 5000');
  await resizer.page.getByLabel('Longest side').fill('100');
  await resizer.run();
  const { bytes } = await resizer.saved();
  expect(await headerOf(bytes)).toEqual({ format: 'png', width: 1, height: 100 });
  const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 4)]).toEqual([200, 100, 50, 128]);
});

test('an image of 20,000 pixels is as wide as asked, also above the limits of a canvas', async ({
  resizer,
  folder,
}) => {
  const file = path.join(folder, 'wide.png');
  await sharp({ create: { width: 20_000, height: 40, channels: 3, background: '#c63' } })
    .png()
    .toFile(file);
  await resizer.add(file);
  await resizer.width.fill('18000');
  await resizer.run();
  expect(await headerOf((await resizer.saved()).bytes)).toEqual({ format: 'png', width: 18_000, height: 36 });
});

test('names keep all that stands before the last dot', async ({ resizer, folder }) => {
  const files = [];
  for (const name of ['a.b.c.jpg', '照片 1.jpg', 'x.JPEG']) {
    files.push(await makePicture(path.join(folder, name), { width: 40, height: 30 }));
  }
  await resizer.add(files);
  await resizer.width.fill('20');
  await resizer.run();
  const names = unzip((await resizer.saved()).bytes).map(({ name }) => name);
  expect(names).toEqual(['a.b.c-20x15.jpg', '照片 1-20x15.jpg', 'x-20x15.JPEG']);
});

test('once the workers run, neither resizing nor saving sends a request', async ({ resizer, folder, page }) => {
  // Without it, the page loads the pages of its links in advance, at any time.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await resizer.open();
  const files = [];
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']) {
    files.push(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
  }
  await resizer.add(files);
  await resizer.width.fill('100');
  await resizer.run();
  await resizer.saved();
  await page.waitForLoadState('networkidle');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await resizer.width.fill('90');
  await resizer.run();
  await resizer.saved();
  // Workers that were ended while nothing was to do are started again, from this site and without data.
  const others = sent.filter((url) => !url.startsWith('blob:') && !/\/assets\/worker\/[\w-]+\.js$/.test(url));
  expect(others).toEqual([]);
});
