// AVIF and HEIC in the page: their modules are loaded with the first such file. Pictures are made and checked by libvips.

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { also, expect, headerOf, test } from './resizer.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/pictures');

/** Writes a picture of 400 × 300 pixels, red at the left and blue at the right, with an author in its EXIF. */
async function makePhoto(file: string): Promise<string> {
  const half = (background: string) => ({ create: { width: 200, height: 300, channels: 3 as const, background } });
  const right = await sharp(half('#1030c0')).png().toBuffer();
  await sharp(half('#c02010'))
    .extend({ right: 200 })
    .composite([{ input: right, left: 200, top: 0 }])
    .removeAlpha()
    .withExif({ IFD0: { Artist: 'Jane Doe' } })
    .avif({ quality: 90 })
    .toFile(file);
  return file;
}

const also3 = also({ firefox: 'another engine runs the module', phone: 'a phone has less memory' });

test('an AVIF photograph becomes a JPEG or a smaller AVIF, with its metadata', also3, async ({ resizer, folder }) => {
  const { page } = resizer;
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const isLoaded = () => loaded.some((name) => /avif_bg.*\.wasm$/.test(name));
  await resizer.add(path.join(FIXTURES, 'zone-95.jpg'));
  await expect(resizer.row('zone-95.jpg')).toContainText('160');
  expect(isLoaded()).toBe(false);

  await resizer.add(await makePhoto(path.join(folder, 'photo.avif')));
  await expect(resizer.row('photo.avif')).toContainText('400');
  expect(isLoaded()).toBe(true);
  await resizer
    .row('zone-95.jpg')
    .getByRole('button', { name: /remove/i })
    .click();
  await resizer.width.fill('200');
  await resizer.run();
  const avif = await resizer.saved();
  expect(avif.name).toBe('photo-200x150.avif');
  await checkPhoto(avif.bytes, 'heif');

  await resizer.toggleCards('Format');
  await page.getByLabel('Save as').selectOption('jpeg');
  await resizer.run();
  const jpeg = await resizer.saved();
  expect(jpeg.name).toBe('photo-200x150.jpg');
  await checkPhoto(jpeg.bytes, 'jpeg');
});

/** Checks a result of 200 × 150 pixels: its colours and its metadata. */
async function checkPhoto(bytes: Buffer, format: string): Promise<void> {
  const { exif, ...facts } = await sharp(bytes).metadata();
  expect(facts).toMatchObject({ format, width: 200, height: 150, hasAlpha: false });
  expect(exif?.toString('latin1')).toContain('Jane Doe');
  const pixels = await sharp(bytes).raw().toBuffer();
  const at = (x: number, y: number) => [...pixels.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3)];
  for (const [x, color] of [
    [40, [0xc0, 0x20, 0x10]],
    [160, [0x10, 0x30, 0xc0]],
  ] as const) {
    const found = at(x, 75);
    expect(Math.max(...found.map((sample, i) => Math.abs(sample - (color[i] ?? 0))))).toBeLessThan(6);
  }
}

test('an AVIF photograph of the same size loses its location and is not compressed again', async ({
  resizer,
  folder,
}) => {
  const file = path.join(folder, 'place.avif');
  const GPS = { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '7/1 0/1 0/1' };
  await sharp({ create: { width: 400, height: 300, channels: 3, background: '#369' } })
    .withExif({ IFD0: { Artist: 'Jane Doe' }, IFD3: GPS })
    .avif({ quality: 40 })
    .toFile(file);
  await resizer.add(file);
  const row = resizer.row('place.avif');
  await expect(row).toContainText('The location will be removed.');
  await resizer.run();
  await expect(row).toContainText('Already smaller – not resized. The location was removed.');
  const { page } = resizer;
  const { bytes } = await resizer.saved(() => page.getByRole('button', { name: 'Save place.avif' }).click());
  const original = fs.readFileSync(file);
  expect(bytes.length).toBe(original.length);
  expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
  const [before, after] = await Promise.all(
    [original, bytes].map(async (image) => (await sharp(image).metadata()).exif),
  );
  const gps = [Buffer.from([0x25, 0x88]), Buffer.from([0x88, 0x25])];
  const hasPlace = (exif: Uint8Array = Buffer.alloc(0)) => gps.some((tag) => Buffer.from(exif).includes(tag));
  expect([before, after].map(hasPlace)).toEqual([true, false]);
  expect(after?.toString('latin1')).toContain('Jane Doe');
});

test('transparency stays, an animation keeps its frames, and a cut file is told', async ({ resizer, folder }) => {
  const clear = path.join(folder, 'glass.avif');
  const background = { r: 200, g: 0, b: 0, alpha: 0.5 };
  await sharp({ create: { width: 100, height: 80, channels: 4, background } })
    .avif()
    .toFile(clear);
  await resizer.add([clear, path.join(FIXTURES, 'ball.avif')]);
  await resizer.toggleCards('Format');
  // A row may move while the headers of others are read.
  for (const name of ['glass.avif', 'ball.avif']) await expect(resizer.row(name)).toContainText('AVIF ·');
  await resizer
    .row('ball.avif')
    .getByRole('button', { name: /remove/i })
    .click();
  await resizer.width.fill('50');
  await resizer.run();
  const glass = await resizer.saved();
  expect(glass.name).toBe('glass-50x40.avif');
  const [r, , , alpha] = await sharp(glass.bytes).raw().toBuffer();
  expect(Math.abs((r ?? 0) - 200)).toBeLessThan(4);
  expect(Math.abs((alpha ?? 0) - 128)).toBeLessThan(3);
  await resizer.page.getByRole('button', { name: 'Clear all' }).click();

  await resizer.add(path.join(FIXTURES, 'ball.avif'));
  await expect(resizer.row('ball.avif')).toContainText('3 frames');
  // An original that is kept has all its frames, whatever format results have.
  await resizer.page.getByLabel('Save as').selectOption('avif');
  await expect(resizer.row('ball.avif')).toContainText('kept as it is');
  await expect(resizer.row('ball.avif')).not.toContainText('first frame');
  await resizer.width.fill('12');
  await expect(resizer.row('ball.avif')).toContainText('AVIF is saved without animation');
  await resizer.page.getByLabel('Save as').selectOption('gif');
  await resizer.run();
  const ball = await resizer.saved();
  expect(await sharp(ball.bytes).metadata()).toMatchObject({ format: 'gif', width: 12, pages: 3 });
  await resizer.page.getByRole('button', { name: 'Clear all' }).click();

  const whole = fs.readFileSync(clear);
  await resizer.add({ name: 'cut.avif', mimeType: 'image/avif', buffer: whole.subarray(0, whole.length - 10) });
  await resizer.resize.click();
  await expect(resizer.row('cut.avif')).toContainText('damaged');
});

test('a HEIC photograph becomes a JPEG, whose colours are those of the original', async ({ resizer }) => {
  await resizer.add(path.join(FIXTURES, 'zone.heic'));
  await resizer.width.fill('100');
  await expect(resizer.row('zone.heic')).toContainText('HEIC → JPEG');
  await resizer.width.fill('160');
  await resizer.toggleCards('Format');
  await resizer.page.getByLabel('Save as').selectOption('jpeg');
  await resizer.run();
  const { name, bytes } = await resizer.saved();
  expect(name).toMatch(/^zone.*\.jpg$/);
  expect(await headerOf(bytes)).toEqual({ format: 'jpeg', width: 160, height: 120 });
  // The file was made of this picture without its last row.
  const meansOf = async (file: Buffer | string) =>
    (await sharp(file).removeAlpha().stats()).channels.map(({ mean }) => mean);
  const wanted = await meansOf(path.join(FIXTURES, 'zone-rgb8.png'));
  const found = await meansOf(bytes);
  expect(Math.max(...found.map((mean, i) => Math.abs(mean - (wanted[i] ?? 0))))).toBeLessThan(4);
});
