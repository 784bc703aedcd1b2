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
