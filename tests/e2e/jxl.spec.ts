// JPEG XL in the page: its module is loaded with the first such file. The pictures are fixtures that cjxl made; results
// are checked by libvips.

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { also, expect, headerOf, test } from './resizer.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/pictures');
const fixture = (name: string) => path.join(FIXTURES, name);

const also3 = also({ firefox: 'another engine runs the module', phone: 'a phone has less memory' });

test('a JPEG XL picture without loss becomes a PNG with the same pixels', also3, async ({ resizer }) => {
  const loaded: string[] = [];
  resizer.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const isLoaded = () => loaded.some((name) => /jxl_bg.*\.wasm$/.test(name));
  await resizer.add(fixture('zone-95.jpg'));
  await expect(resizer.row('zone-95.jpg')).toContainText('160');
  expect(isLoaded()).toBe(false);

  await resizer.add(fixture('zone.jxl'));
  await expect(resizer.row('zone.jxl')).toContainText('160');
  expect(isLoaded()).toBe(true);
  await resizer
    .row('zone-95.jpg')
    .getByRole('button', { name: /remove/i })
    .click();
  await resizer.toggleCards('Format');
  await resizer.page.getByLabel('Save as').selectOption('png');
  await resizer.width.fill('160');
  await resizer.run();
  const { name, bytes } = await resizer.saved();
  expect(name).toMatch(/^zone.*\.png$/);
  expect(await headerOf(bytes)).toEqual({ format: 'png', width: 160, height: 121 });
  // The picture that cjxl encoded.
  const [found, want] = await Promise.all([bytes, fixture('zone-rgb8.png')].map((it) => sharp(it).raw().toBuffer()));
  expect(found?.equals(want ?? Buffer.alloc(0))).toBe(true);
});

test('an animation keeps its frames, 16 bits stay, and a cut file is told', async ({ resizer }) => {
  await resizer.add(fixture('ball.jxl'));
  await expect(resizer.row('ball.jxl')).toContainText('3 frames');
  await resizer.toggleCards('Format');
  await resizer.width.fill('12');
  await resizer.page.getByLabel('Save as').selectOption('gif');
  await resizer.run();
  const ball = await resizer.saved();
  expect(await sharp(ball.bytes).metadata()).toMatchObject({ format: 'gif', width: 12, pages: 3 });
  await resizer.page.getByRole('button', { name: 'Clear all' }).click();

  await resizer.page.getByLabel('Save as').selectOption('png');
  await resizer.add(fixture('noise-rgba16.jxl'));
  await expect(resizer.row('noise-rgba16.jxl')).toContainText('47');
  await resizer.width.fill('20');
  await resizer.run();
  const noise = await resizer.saved();
  expect(await sharp(noise.bytes).metadata()).toMatchObject({ format: 'png', width: 20, depth: 'ushort', channels: 4 });
  await resizer.page.getByRole('button', { name: 'Clear all' }).click();

  const whole = fs.readFileSync(fixture('zone.jxl'));
  await resizer.add({ name: 'cut.jxl', mimeType: 'image/jxl', buffer: whole.subarray(0, whole.length / 2) });
  await resizer.resize.click();
  await expect(resizer.row('cut.jxl')).toContainText('damaged');
});

test('a photograph becomes a JPEG XL, which stays one, or one without loss', async ({ resizer, folder }) => {
  const { page } = resizer;
  const jpeg = path.join(folder, 'photo.jpg');
  await sharp({ create: { width: 400, height: 300, channels: 3, background: '#c02010' } })
    .jpeg()
    .toFile(jpeg);
  await resizer.add(jpeg);
  await resizer.width.fill('200');
  await resizer.toggleCards('Format', 'Advanced');
  await page.getByLabel('Save as').selectOption('jxl');
  await resizer.run();
  const lossy = await resizer.saved();
  expect(lossy.name).toBe('photo-200x150.jxl');
  expect(lossy.bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0x0a]));
  await page.getByLabel('Lossless JPEG XL').selectOption('yes');
  await expect(page.getByLabel('Quality')).toBeHidden();
  await resizer.run();
  const lossless = await resizer.saved();
  await page.getByRole('button', { name: 'Clear all' }).click();

  await resizer.add({ name: 'again.jxl', mimeType: 'image/jxl', buffer: lossless.bytes });
  await page.getByLabel('Save as').selectOption('same');
  await resizer.width.fill('100');
  await resizer.run();
  const again = await resizer.saved();
  expect(again.name).toBe('again-100x75.jxl');
  await page.getByRole('button', { name: 'Clear all' }).click();

  await resizer.add({ name: 'last.jxl', mimeType: 'image/jxl', buffer: again.bytes });
  await page.getByLabel('Save as').selectOption('png');
  await resizer.width.fill('50');
  await resizer.run();
  const png = await resizer.saved();
  const [r, g, b] = await sharp(png.bytes).raw().toBuffer();
  for (const [found, wanted] of [
    [r, 0xc0],
    [g, 0x20],
    [b, 0x10],
  ] as const) {
    expect(Math.abs((found ?? 0) - wanted)).toBeLessThan(6);
  }
});
