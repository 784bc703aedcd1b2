// Adding files, changing settings and saving results, with the real worker and the real core.

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { also, expect, headerOf, makePicture, photograph, test, unzip } from './resizer.ts';

const NIKON = 'digicam_corpus_Nikon_D90_DSC_0001.JPG';

test(
  'a photograph is resized; a text and a damaged file show the reason of their failure',
  also({ firefox: 'every step of a resize', phone: 'every step of a resize', quick: true }),
  async ({ resizer, folder }) => {
    const photo = photograph(NIKON);
    test.info().skip(photo === null, 'no photographs on this machine');
    if (photo === null) return;
    const text = path.join(folder, 'notes.txt');
    fs.writeFileSync(text, 'milk, bread');
    const broken = path.join(folder, 'broken.jpg');
    fs.writeFileSync(broken, fs.readFileSync(photo).subarray(0, 2000));

    await resizer.add([photo, text, broken]);
    await expect(resizer.row(NIKON)).toContainText('4288 × 2848 → 1920 × 1275');
    await expect(resizer.row('notes.txt')).toContainText('Not an image.');
    await expect(resizer.row('broken.jpg')).toContainText('This file is damaged.');

    await resizer.width.fill('640');
    await expect(resizer.row(NIKON)).toContainText('4288 × 2848 → 640 × 425');
    await resizer.run();
    await expect(resizer.row(NIKON)).toContainText('Done');
    await expect(resizer.page.getByText('1 of 3 images resized. 2 failed.').first()).toBeVisible();

    const { name, bytes } = await resizer.saved();
    expect(name).toBe('digicam_corpus_Nikon_D90_DSC_0001-640x425.JPG');
    expect(await headerOf(bytes)).toEqual({ format: 'jpeg', width: 640, height: 425 });
  },
);

test('the readable part of a truncated photograph is resized, and the row shows a warning', async ({
  resizer,
  folder,
}) => {
  const photo = photograph(NIKON);
  test.info().skip(photo === null, 'no photographs on this machine');
  if (photo === null) return;
  const cut = path.join(folder, 'cut.jpg');
  const bytes = fs.readFileSync(photo);
  fs.writeFileSync(cut, bytes.subarray(0, Math.round(bytes.length * 0.6)));
  await resizer.add(cut);
  await resizer.run();
  await expect(resizer.row('cut.jpg')).toContainText('Part of this image is missing.');
  expect(await headerOf((await resizer.saved()).bytes)).toEqual({ format: 'jpeg', width: 1920, height: 1275 });
});

test(
  'files of the same name are saved in one archive with unique names',
  also({ firefox: 'downloads', phone: 'downloads', quick: true }),
  async ({ resizer, folder }) => {
    const one = await makePicture(path.join(folder, 'one/photo.jpg'), { width: 400, height: 300 });
    const other = await makePicture(path.join(folder, 'other/photo.jpg'), { width: 300, height: 400 });
    await resizer.add([one, other]);
    await resizer.percent.fill('50');
    await resizer.run();
    const { name, bytes } = await resizer.saved();
    expect(name).toBe('resized-images.zip');
    const files = unzip(bytes);
    expect(files.map((file) => file.name)).toEqual(['photo-200x150.jpg', 'photo-150x200.jpg']);
    for (const file of files) expect((await headerOf(file.bytes)).format).toBe('jpeg');

    await resizer.add(one);
    await resizer.run();
    const names = unzip((await resizer.saved()).bytes).map((file) => file.name);
    expect(names).toEqual(['photo-200x150.jpg', 'photo-150x200.jpg', 'photo-200x150 (2).jpg']);
  },
);

const SIZE_SETTINGS = [
  { what: 'percent', fill: { percent: '25' }, size: [200, 150] },
  { what: 'height', fill: { width: '', height: '150' }, size: [200, 150] },
  { what: 'both sides, with the picture inside', fill: { width: '300', height: '150' }, size: [200, 150] },
  { what: 'percent in the width field', fill: { width: '10%' }, size: [80, 60] },
] as const;

for (const { what, fill, size } of SIZE_SETTINGS) {
  test(`the size is set by ${what}`, async ({ resizer, folder }) => {
    await resizer.add(await makePicture(path.join(folder, 'a.png'), { width: 800, height: 600, format: 'png' }));
    for (const [field, text] of Object.entries(fill)) await resizer[field as 'width'].fill(text);
    await expect(resizer.row('a.png')).toContainText(`800 × 600 → ${size[0]} × ${size[1]}`);
    await resizer.run();
    const header = await headerOf((await resizer.saved()).bytes);
    expect(header).toEqual({ format: 'png', width: size[0], height: size[1] });
  });
}

test('the field that was filled in last applies, and the others show the resulting values', async ({
  resizer,
  folder,
}) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 2400, height: 1800 }));
  await expect(resizer.height).toHaveAttribute('placeholder', '1440');
  await resizer.percent.fill('50');
  await expect(resizer.width).toHaveValue('');
  await expect(resizer.width).toHaveAttribute('placeholder', '1200');
  await resizer.percent.fill('');
  await expect(resizer.width).toHaveValue('1920');
  await resizer.percent.fill('50');
  await resizer.height.fill('300');
  await expect(resizer.percent).toHaveValue('');
  await expect(resizer.row('a.jpg')).toContainText('→ 400 × 300');
});

test('an image can be converted to another format', also({ quick: true }), async ({ resizer, folder }) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
  await resizer.toggleCards('Format');
  await resizer.page.getByLabel('Save as').selectOption('PNG');
  await resizer.width.fill('200');
  await resizer.run();
  const { name, bytes } = await resizer.saved();
  expect(name).toBe('a-200x150.png');
  expect(await headerOf(bytes)).toEqual({ format: 'png', width: 200, height: 150 });
});

test(
  'small pictures are saved unchanged, unless enlarging is on',
  also({ firefox: 'the download of an unchanged file' }),
  async ({ resizer, folder }) => {
    const file = await makePicture(path.join(folder, 'small.jpg'), { width: 300, height: 200 });
    await resizer.add(file);
    await expect(resizer.row('small.jpg')).toContainText('Already smaller – kept as it is.');
    await resizer.run();
    const kept = await resizer.saved();
    expect(kept.name).toBe('small.jpg');
    expect(kept.bytes.equals(fs.readFileSync(file))).toBe(true);

    await resizer.page.getByLabel('Don’t enlarge smaller images').uncheck();
    await resizer.width.fill('600');
    await resizer.run();
    expect(await headerOf((await resizer.saved()).bytes)).toEqual({ format: 'jpeg', width: 600, height: 400 });
  },
);

test('a row says that the location was removed, and a file that is not resized has its own Save', async ({
  resizer,
  folder,
}) => {
  const file = path.join(folder, 'place.jpg');
  const gps = { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '7/1 0/1 0/1' };
  await sharp({ create: { width: 400, height: 300, channels: 3, background: '#369' } })
    .withExif({ IFD3: gps })
    .jpeg()
    .toFile(file);
  await resizer.add(file);
  await expect(resizer.row('place.jpg')).toContainText('The location will be removed.');
  await resizer.run();
  await expect(resizer.row('place.jpg')).toContainText('Already smaller – not resized. The location was removed.');
  const { page } = resizer;
  const { name } = await resizer.saved(() => page.getByRole('button', { name: 'Save place.jpg' }).click());
  expect(name).toBe('place.jpg');
  await resizer.width.fill('100');
  await resizer.run();
  await expect(resizer.row('place.jpg')).toContainText('Done');
  await expect(resizer.row('place.jpg')).toContainText('The location was removed.');
});

test(
  'invalid settings show an error and keep the typed text',
  also({ phone: 'messages under narrow fields', quick: true }),
  async ({ resizer, folder }) => {
    await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
    await resizer.width.fill('12q');
    await expect(resizer.page.getByText('Enter a whole number from 1 to')).toBeVisible();
    await expect(resizer.width).toHaveValue('12q');
    await expect(resizer.width).toHaveAttribute('aria-invalid', 'true');
    await expect(resizer.resize).toBeDisabled();
    await resizer.width.fill('');
    await expect(resizer.page.getByText('Enter a width, a height, or both.')).toBeVisible();
    await resizer.percent.fill('401');
    await expect(resizer.page.getByText('Enter a percentage from 1 to 400.')).toBeVisible();
    await resizer.percent.fill('50');
    await expect(resizer.resize).toBeEnabled();
  },
);

test(
  'cancelling keeps finished results, and the other files can run again',
  also({ firefox: 'ending workers' }),
  async ({ resizer, folder }) => {
    const picture = await makePicture(path.join(folder, 'large.jpg'), { width: 3000, height: 2000 });
    const files = Array.from({ length: 6 }, (_, i) => path.join(folder, `${i}.jpg`));
    for (const file of files) fs.copyFileSync(picture, file);
    await resizer.add(files);
    expect(await resizer.cancelOnce('0.jpg', 'Done')).toMatch(/^\(\d\/6\) /);
    await expect(resizer.page.getByText(/^Stopped\. \d of 6 images (is|are) ready\./).first()).toBeVisible();
    await expect(resizer.page).not.toHaveTitle(/^\(/);
    await expect(resizer.save).toBeEnabled();
    await resizer.run();
    await expect(resizer.page.getByText(/^6 images resized\./).first()).toBeVisible({ timeout: 30_000 });
    expect(unzip((await resizer.saved()).bytes)).toHaveLength(6);
  },
);

test('a file that was deleted before the run shows an error', async ({ resizer, folder, browserName }) => {
  test.info().skip(browserName === 'firefox', 'Playwright gives Firefox a copy');
  const file = await makePicture(path.join(folder, 'a.jpg'), { width: 4000, height: 300 });
  await resizer.add(file);
  await expect(resizer.row('a.jpg')).toContainText('Ready');
  fs.rmSync(file);
  await resizer.resize.click();
  await expect(resizer.row('a.jpg')).toContainText('This file was moved or changed.');
  await expect(resizer.page.getByText('No image could be resized.').first()).toBeVisible();
});

test('a changed setting makes results stale; they can still be saved', async ({ resizer, folder }) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
  await resizer.width.fill('200');
  await resizer.run();
  await resizer.width.fill('100');
  await expect(resizer.row('a.jpg')).toContainText('Settings changed');
  expect(await headerOf((await resizer.saved()).bytes)).toMatchObject({ width: 200 });
  await resizer.width.fill('200');
  await expect(resizer.row('a.jpg')).toContainText('Done');
});

test(
  'settings are restored after a reload',
  also({ firefox: 'storage and restored fields', phone: 'restored fields', quick: true }),
  async ({ resizer, page }) => {
    await resizer.percent.fill('33');
    await page.getByLabel('Keep proportions').uncheck();
    await page.reload();
    await expect(resizer.percent).toHaveValue('33');
    await expect(page.getByLabel('Keep proportions')).not.toBeChecked();
    await page.getByRole('button', { name: 'Reset settings' }).click();
    await expect(resizer.width).toHaveValue('1920');
  },
);

test(
  'input before hydration is not lost',
  also({ firefox: 'events before hydration, restored fields', phone: 'touch before hydration' }),
  async ({ page, resizer, folder }) => {
    const file = await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    await resizer.width.fill('123');
    await page.getByLabel('Keep proportions').uncheck();
    await resizer.add(file);
    release();
    await expect(resizer.row('a.jpg')).toContainText('400 × 300 → 123 × 92');
    await expect(resizer.width).toHaveValue('123');
    await expect(page.getByLabel('Keep proportions')).not.toBeChecked();
  },
);
