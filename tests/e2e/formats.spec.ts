// Pages, icons and metadata in the page, checked with libvips.

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { also, expect, makePicture, type Resizer, test, unzip } from './resizer.ts';

/** Writes a TIFF of three pages, 300 × 200 pixels each. */
async function makePages(file: string): Promise<string> {
  const page = (background: string) => ({ create: { width: 300, height: 200, channels: 3 as const, background } });
  const pages = await Promise.all(
    ['#c33', '#3c3', '#33c'].map((background) => sharp(page(background)).png().toBuffer()),
  );
  await sharp(pages, { join: { animated: true } })
    .tiff({ compression: 'lzw' })
    .toFile(file);
  return file;
}

/** Writes a photograph of 400 × 300 pixels with a location and a camera model in its EXIF data. */
async function makeLocated(file: string): Promise<string> {
  const exif = {
    IFD0: { Model: 'Box Camera' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' },
  };
  const picture = sharp({ create: { width: 400, height: 300, channels: 3, background: '#789' } });
  await picture.jpeg().withExif(exif).toFile(file);
  return file;
}

/** Returns which metadata the EXIF block contains: the tag of a GPS directory (0x8825), and the camera's name. */
async function metadataIn(bytes: Buffer): Promise<{ location: boolean; camera: boolean }> {
  const { exif = Buffer.alloc(0) } = await sharp(bytes).metadata();
  const holds = (text: Buffer | string) => exif.includes(text);
  return {
    location: holds(Buffer.from([0x25, 0x88])) || holds(Buffer.from([0x88, 0x25])),
    camera: holds('Box Camera'),
  };
}

/** Returns the middle pixel of a row's thumbnail: red, green, blue, alpha; null if none was drawn. */
const thumbnailOf = (resizer: Resizer, name: string) =>
  resizer
    .row(name)
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      return width === 0 ? null : [...(canvas.getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data ?? [])];
    });

test(
  'a row has a thumbnail, also for a format that no browser supports',
  also({ firefox: 'bitmaps from workers, and canvases' }),
  async ({ resizer, folder }) => {
    await resizer.add([
      await makePages(path.join(folder, 'scan.tif')),
      await makeLocated(path.join(folder, 'photo.jpg')),
    ]);
    await expect.poll(() => thumbnailOf(resizer, 'scan.tif')).toEqual([0xcc, 0x33, 0x33, 0xff]);
    await expect.poll(() => thumbnailOf(resizer, 'photo.jpg')).not.toBeNull();
  },
);

test('pages stay in one TIFF and become separate PNG files', also({ quick: true }), async ({ resizer, folder }) => {
  await resizer.add(await makePages(path.join(folder, 'scan.tif')));
  await expect(resizer.row('scan.tif')).toContainText('3 pages');
  await resizer.width.fill('150');
  await resizer.run();
  const together = await resizer.saved();
  expect(together.name).toBe('scan-150x100.tif');
  expect(await sharp(together.bytes).metadata()).toMatchObject({ format: 'tiff', width: 150, pages: 3 });

  await resizer.toggleCards('Format');
  await resizer.page.getByLabel('Save as').selectOption('png');
  await expect(resizer.row('scan.tif')).toContainText('each page will be saved as its own file');
  await resizer.run();
  await expect(resizer.row('scan.tif')).toContainText('Done');
  const files = unzip((await resizer.saved()).bytes);
  expect(files.map(({ name }) => name)).toEqual(['scan-p1-150x100.png', 'scan-p2-150x100.png', 'scan-p3-150x100.png']);
  const colors = await Promise.all(files.map(async ({ bytes }) => (await sharp(bytes).stats()).dominant));
  expect(colors.map(({ r, g, b }) => [r, g, b].indexOf(Math.max(r, g, b)))).toEqual([0, 1, 2]);

  await resizer.page.getByLabel('Files with several pages').selectOption('first');
  await resizer.run();
  await expect(resizer.row('scan.tif')).toContainText('Done');
  expect((await resizer.saved()).name).toBe('scan-150x100.png');
});

test('transparent areas get the chosen colour in a JPEG', async ({ resizer, folder }) => {
  const file = path.join(folder, 'glass.png');
  await sharp({ create: { width: 200, height: 100, channels: 4, background: '#00000000' } })
    .png()
    .toFile(file);
  const color = async () => {
    const { data } = await sharp((await resizer.saved()).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data.subarray(0, 3)];
  };
  const background = resizer.page.getByLabel('Colour behind transparent areas');
  await resizer.add(file);
  await resizer.width.fill('100');
  await resizer.toggleCards('Format');
  await expect(resizer.page.getByLabel('Save as')).toBeVisible();
  await expect(background).toHaveCount(0);
  await resizer.page.getByLabel('Save as').selectOption('jpeg');
  await resizer.run();
  await expect(resizer.row('glass.png')).toContainText('get the background colour');
  expect(await color()).toEqual([255, 255, 255]);

  await resizer.toggleCards('Format');
  await resizer.row('glass.png').getByRole('button', { name: 'Change colour' }).click();
  await expect(background).toBeFocused();
  await background.fill('#204080');
  await expect(resizer.row('glass.png')).toContainText('Settings changed');
  await resizer.run();
  await expect(resizer.row('glass.png')).toContainText('Done');
  for (const [i, sample] of (await color()).entries()) {
    expect(Math.abs(sample - ([0x20, 0x40, 0x80][i] ?? 0))).toBeLessThanOrEqual(2);
  }
  await resizer.row('glass.png').getByRole('button', { name: 'Use PNG' }).click();
  await expect(resizer.page.getByLabel('Save as')).toHaveValue('png');
});

test('an icon has the usual sizes', async ({ resizer, folder }) => {
  await resizer.add(await makeLocated(path.join(folder, 'logo.jpg')));
  await resizer.toggleCards('Format');
  await resizer.page.getByLabel('Save as').selectOption('ico');
  await resizer.run();
  const { name, bytes } = await resizer.saved();
  expect(name).toBe('logo-256x256.ico');
  // ICONDIR: reserved, type 1, count; then entries of 16 bytes, whose first byte is the width, 0 for 256.
  expect([bytes.readUInt16LE(0), bytes.readUInt16LE(2)]).toEqual([0, 1]);
  const sides = Array.from({ length: bytes.readUInt16LE(4) }, (_, i) => bytes[6 + 16 * i]);
  expect(sides.sort((a = 0, b = 0) => a - b)).toEqual([0, 16, 24, 32, 48, 64, 128]);
});

for (const width of ['200', '4000']) {
  const what = width === '200' ? 'a result' : 'a kept original';
  test(`${what} has only the metadata that the settings keep, by default no location`, async ({ resizer, folder }) => {
    const file = await makeLocated(path.join(folder, 'beach.jpg'));
    expect(await metadataIn(fs.readFileSync(file))).toEqual({ location: true, camera: true });
    await resizer.add(file);
    await resizer.width.fill(width);
    const left = { 'Keep, but remove location': [false, true], 'Remove everything': [false, false] };
    await resizer.toggleCards('Metadata');
    for (const [choice, [location, camera]] of Object.entries({ ...left, 'Keep everything': [true, true] })) {
      await resizer.page.getByLabel(choice).check();
      await resizer.run();
      await expect(resizer.row('beach.jpg')).toContainText(width === '200' ? 'Done' : /Kept|Not resized/);
      expect(await metadataIn((await resizer.saved()).bytes), choice).toEqual({ location, camera });
    }
  });
}

test('a PNG with a palette keeps one, unless every colour is wanted', async ({ resizer, folder }) => {
  const file = path.join(folder, 'map.png');
  const waves = (channel: number) => (i: number) => Math.round(128 + 100 * Math.sin((i * (channel + 2)) / 60));
  const raw = Buffer.from(
    Array.from({ length: 300 * 200 * 3 }, (_, i) => waves(i % 3)(Math.floor(i / 3) % 300) - Math.floor(i / 9000)),
  );
  await sharp(raw, { raw: { width: 300, height: 200, channels: 3 } })
    .png({ palette: true, colours: 256 })
    .toFile(file);
  const isIndexed = async () => (await sharp((await resizer.saved()).bytes).metadata()).isPalette === true;
  await resizer.add(file);
  await resizer.width.fill('150');
  await resizer.run();
  await expect(resizer.row('map.png')).toContainText('Reduced to 256 colours');
  expect(await isIndexed()).toBe(true);
  await resizer.toggleCards('Advanced');
  await resizer.page.getByLabel('PNG colours').selectOption('All');
  await resizer.run();
  await expect(resizer.row('map.png')).toContainText('Done');
  await expect(resizer.row('map.png')).not.toContainText('Reduced to 256 colours');
  expect(await isIndexed()).toBe(false);
});

test('a result of a typed quality that is not smaller gives way to the original', async ({ resizer, folder }) => {
  const small = path.join(folder, 'small.jpg');
  const noise = await sharp(await makePicture(path.join(folder, 'noise.jpg'), { width: 300, height: 200 }));
  await noise.jpeg({ quality: 20 }).toFile(small);
  await resizer.page.goto(`/#settings=${encodeURIComponent('{"quality":100}')}`);
  await resizer.add(small);
  await resizer.run();
  await expect(resizer.row('small.jpg')).toContainText('The original was already smaller, so it was kept.');
  const saved = await resizer.saved();
  expect(saved.bytes.equals(fs.readFileSync(small))).toBe(true);
});

test('files get the best quality within a limit; one that cannot be reached is said, with a smaller size', async ({
  resizer,
  folder,
  page,
}) => {
  const limit = 20 * 1024;
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 600, height: 400 }));
  await resizer.toggleCards('Format');
  await page.getByLabel('Keep each file under').fill('20 KB');
  await expect(resizer.row('a.jpg')).toContainText('Ready');
  await resizer.width.fill('300');
  await resizer.run();
  const { bytes } = await resizer.saved();
  expect(bytes.length).toBeLessThanOrEqual(limit);
  expect(bytes.length).toBeGreaterThanOrEqual(limit * 0.95);
  await page.getByLabel('Keep each file under').fill('small');
  await expect(page.getByText('Enter a file size from 1 to 1,000,000 KB.').first()).toBeVisible();
  await expect(resizer.resize).toBeDisabled();
  await page.getByLabel('Keep each file under').fill('1');
  await resizer.width.fill('590');
  await resizer.run();
  await expect(resizer.row('a.jpg')).toContainText('1KB cannot be reached at this size.');
  await resizer
    .row('a.jpg')
    .getByRole('button', { name: /^Reduce to \d+ px$/ })
    .click();
  await resizer.run();
  await expect(resizer.row('a.jpg')).not.toContainText('cannot be reached');
  expect((await resizer.saved()).bytes.length).toBeLessThanOrEqual(1024);
});
