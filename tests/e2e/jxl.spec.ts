// JPEG XL in the page: its module is loaded with the first such file. The pictures are fixtures that cjxl made; results
// are checked by libvips.

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
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

/** Returns a box. */
function boxed(kind: string, ...contents: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  const bytes = Buffer.concat(contents);
  head.writeUInt32BE(8 + bytes.length);
  head.write(kind, 4);
  return Buffer.concat([head, bytes]);
}

test('an animation of the same size loses its location and is not compressed again', async ({ resizer }) => {
  const GPS = { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '7/1 0/1 0/1' };
  const jpeg = sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
    .withExif({ IFD0: { Artist: 'Jane Doe' }, IFD3: GPS })
    .jpeg();
  const { exif = Buffer.alloc(0) } = await sharp(await jpeg.toBuffer()).metadata();
  // As cjxl writes it: the distance to the TIFF structure, then that structure, compressed.
  const stream = zlib.brotliCompressSync(Buffer.concat([Buffer.alloc(4), exif.subarray(6)]));
  const start = [boxed('JXL ', Buffer.from('\r\n\x87\n', 'latin1')), boxed('ftyp', Buffer.from('jxl \0\0\0\0jxl '))];
  const codestream = boxed('jxlc', fs.readFileSync(fixture('ball.jxl')));
  const buffer = Buffer.concat([...start, boxed('brob', Buffer.from('Exif'), stream), codestream]);
  await resizer.add({ name: 'place.jxl', mimeType: 'image/jxl', buffer });
  const row = resizer.row('place.jxl');
  await expect(row).toContainText('The location will be removed.');
  await resizer.run();
  await expect(row).toContainText('Already smaller – not resized. The location was removed.');
  const { page } = resizer;
  const { bytes } = await resizer.saved(() => page.getByRole('button', { name: 'Save place.jxl' }).click());
  const head = Buffer.concat(start);
  expect(bytes.subarray(0, head.length)).toEqual(head);
  expect(bytes.subarray(-codestream.length)).toEqual(codestream);
  const copied = bytes.subarray(head.length, -codestream.length);
  expect(copied.subarray(4, 8).toString()).toBe('Exif');
  const gps = [Buffer.from([0x25, 0x88]), Buffer.from([0x88, 0x25])];
  const hasPlace = (all: Buffer) => gps.some((tag) => all.includes(tag));
  expect([exif, copied].map(hasPlace)).toEqual([true, false]);
  expect(copied.toString('latin1')).toContain('Jane Doe');
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
