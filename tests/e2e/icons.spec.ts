// Icons in the page: extracting their pictures, and writing chosen sizes. icoutils makes and lists the icons; libvips
// reads the pictures.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, headerOf, makePicture, test, unzip } from './resizer.ts';

const COLORS = { 16: '#c33', 32: '#3c3', 48: '#33c' };

/** Makes an icon of 16, 32 and 48 px. Each picture has its own colour, which identifies it in results. */
async function makeIcon(file: string): Promise<string> {
  const pictures = await Promise.all(
    Object.entries(COLORS).map(async ([side, background]) => {
      const picture = path.join(path.dirname(file), `${side}.png`);
      await sharp({ create: { width: Number(side), height: Number(side), channels: 4, background } }).toFile(picture);
      return picture;
    }),
  );
  execFileSync('icotool', ['--create', '--output', file, ...pictures]);
  return file;
}

/** Returns the sides of an icon's pictures, ascending. */
function sidesOf(icon: Buffer, folder: string): number[] {
  const file = path.join(folder, 'read.ico');
  fs.writeFileSync(file, icon);
  const lines = execFileSync('icotool', ['--list', file], { encoding: 'utf8' }).trim().split('\n');
  const sides = lines.map((line) => /--width=(\d+) --height=\1 /.exec(line)?.[1]);
  return sides.map(Number).sort((one, other) => one - other);
}

/** Returns the width of a picture and its main colour: red, green or blue. */
async function lookOf(png: Buffer): Promise<string> {
  const { width } = await sharp(png).metadata();
  const { channels } = await sharp(png).stats();
  const means = channels.slice(0, 3).map(({ mean }) => mean);
  return `${width} ${['red', 'green', 'blue'][means.indexOf(Math.max(...means))]}`;
}

test('the pictures of an icon can be extracted: the largest, one size, or all', async ({ resizer, folder }) => {
  await resizer.add(await makeIcon(path.join(folder, 'app.ico')));
  await expect(resizer.row('app.ico')).toContainText('3 images inside');
  await resizer.toggleCards('Format');
  await resizer.page.getByLabel('Save as').selectOption('png');
  await resizer.run();
  const largest = await resizer.saved();
  expect([largest.name, await lookOf(largest.bytes)]).toEqual(['app-48x48.png', '48 blue']);

  const entries = resizer.page.getByLabel('Icons with several sizes');
  expect(await entries.locator('option').allTextContents()).toEqual([
    'Largest',
    'All, each as its own file',
    '16 × 16',
    '32 × 32',
    '48 × 48',
  ]);
  await entries.selectOption('32 × 32');
  await expect(resizer.row('app.ico')).toContainText('Settings changed');
  await resizer.run();
  const one = await resizer.saved();
  expect([one.name, await lookOf(one.bytes)]).toEqual(['app-32x32.png', '32 green']);

  await entries.selectOption('All, each as its own file');
  await expect(resizer.row('app.ico')).toContainText('Each will be saved as its own file');
  await resizer.run();
  const files = unzip((await resizer.saved()).bytes);
  expect(files.map(({ name }) => name)).toEqual(['app-48x48.png', 'app-32x32.png', 'app-16x16.png']);
  expect(await Promise.all(files.map(({ bytes }) => lookOf(bytes)))).toEqual(['48 blue', '32 green', '16 red']);

  // Results of equal size get the sizes of their entries in their names.
  await resizer.width.fill('16');
  await resizer.run();
  const alike = unzip((await resizer.saved()).bytes);
  expect(alike.map(({ name }) => name)).toEqual(['app-48px-16x16.png', 'app-32px-16x16.png', 'app-16px-16x16.png']);
});

test('an icon is written in the checked sizes, which are stored for the next visit', async ({ resizer, folder }) => {
  const picture = await makePicture(path.join(folder, 'logo.png'), { width: 400, height: 300, format: 'png' });
  await resizer.add(picture);
  const { page } = resizer;
  await resizer.toggleCards('Format', 'Advanced');
  await expect(page.getByLabel('PNG effort')).toBeVisible();
  await page.getByLabel('Save as').selectOption('ico');
  await expect(page.getByLabel('PNG effort')).toHaveCount(0);
  const sizes = page.getByRole('group', { name: 'Icon sizes' });
  await sizes.getByLabel('Auto').uncheck();
  for (const side of ['24', '48', '64', '128']) await sizes.getByLabel(side, { exact: true }).uncheck();
  await expect(resizer.row('logo.png')).toContainText('256 × 256 · 3 sizes');
  await resizer.run();
  const { name, bytes } = await resizer.saved();
  expect([name, sidesOf(bytes, folder)]).toEqual(['logo-256x256.ico', [16, 32, 256]]);

  await resizer.open();
  await resizer.add(picture);
  await resizer.toggleCards('Advanced');
  await expect(sizes.getByLabel('32', { exact: true })).toBeChecked();
  await expect(sizes.getByLabel('48', { exact: true })).not.toBeChecked();
  // If no size is checked, Auto is checked.
  for (const side of ['16', '32', '256']) await sizes.getByLabel(side, { exact: true }).uncheck();
  await expect(sizes.getByLabel('Auto')).toBeChecked();
});

test('another TIFF compression makes a new file', async ({ resizer, folder }) => {
  const picture = { create: { width: 300, height: 200, channels: 3 as const, background: '#789' } };
  const file = path.join(folder, 'scan.tif');
  await sharp(picture).tiff({ compression: 'lzw' }).toFile(file);
  await resizer.add(file);
  await expect(resizer.row('scan.tif')).toContainText('Already smaller');
  await resizer.toggleCards('Advanced');
  await resizer.page.getByLabel('TIFF compression').selectOption('None');
  await resizer.run();
  await expect(resizer.row('scan.tif')).toContainText('Done');
  const { bytes } = await resizer.saved();
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'tiff', width: 300 });
  expect(bytes.length).toBeGreaterThan(3 * 300 * 200);
  expect(fs.statSync(file).size).toBeLessThan(3 * 300 * 200);
});

test('an app icon set has its names and sizes, and its HTML can be copied', async ({ resizer, folder, page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await resizer.add(await makePicture(path.join(folder, 'logo.png'), { width: 600, height: 400, format: 'png' }));
  await resizer.toggleCards('Presets');
  await page.getByRole('button', { name: 'App icons' }).click();
  await expect(resizer.row('logo.png')).toContainText('600 × 400 → 512 × 512 · 5 files');
  await resizer.run();
  const files = unzip((await resizer.saved()).bytes);
  const sizes = Object.fromEntries(
    await Promise.all(
      files.map(async ({ name, bytes }) => [
        name,
        name.endsWith('.ico') ? sidesOf(bytes, folder) : Object.values(await headerOf(bytes)),
      ]),
    ),
  );
  expect(sizes).toEqual({
    'favicon.ico': [16, 32, 48],
    'apple-touch-icon.png': ['png', 180, 180],
    'icon-192.png': ['png', 192, 192],
    'icon-512.png': ['png', 512, 512],
    'icon-maskable-512.png': ['png', 512, 512],
  });
  await page.getByRole('button', { name: 'More ways to save' }).click();
  await page.getByRole('menuitem', { name: 'Copy HTML and manifest' }).click();
  await expect(page.getByText('The HTML is on the clipboard.').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('rel="apple-touch-icon"');

  // Several images have a folder each.
  await resizer.add(await makePicture(path.join(folder, 'b.png'), { width: 60, height: 60, format: 'png' }));
  await resizer.run();
  const names = unzip((await resizer.saved()).bytes).map(({ name }) => name);
  expect(names).toContain('logo/favicon.ico');
  expect(names).toContain('b/favicon.ico');

  // A second press on the preset gives back the usual size.
  await page.getByRole('button', { name: 'App icons' }).click();
  await expect(resizer.row('logo.png')).not.toContainText('5 files');
});

test('icons of a transparent picture are opaque where iOS and masks need it', async ({ resizer, folder, page }) => {
  const logo = path.join(folder, 'logo.png');
  const circle = Buffer.from('<svg width="300" height="150"><circle cx="150" cy="75" r="70" fill="#00f"/></svg>');
  await sharp(circle).png().toFile(logo);
  await resizer.add(logo);
  await resizer.toggleCards('Presets', 'Format');
  const card = page.locator('summary').filter({ has: page.getByText('Format', { exact: true }) });
  await expect(card).toContainText('Same as original');
  await page.getByRole('button', { name: 'App icons' }).click();
  await expect(card).toContainText('PNG, ICO');
  await expect(page.getByLabel('Save as')).toHaveCount(0);
  await page.getByLabel('Colour behind transparent areas').fill('#ff0000');
  await resizer.run();
  const files = new Map(unzip((await resizer.saved()).bytes).map(({ name, bytes }) => [name, bytes]));
  const cornerOf = async (name: string) => {
    const { data, info } = await sharp(files.get(name)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    // Inside the picture: a corner of its square, which the circle leaves free.
    const at = (Math.round(info.height * 0.3) * info.width + Math.round(info.width * 0.15)) * 4;
    return [[...data.subarray(0, 4)], [...data.subarray(at, at + 4)]];
  };
  const red = [255, 0, 0, 255];
  expect(await cornerOf('apple-touch-icon.png')).toEqual([red, red]);
  expect(await cornerOf('icon-maskable-512.png')).toEqual([red, red]);
  for (const name of ['icon-192.png', 'icon-512.png']) {
    for (const pixel of await cornerOf(name)) expect(pixel[3]).toBe(0);
  }
});
