// Files with several frames in the page: what the row promises, what is saved, and the preview that plays.

import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { also, expect, type Resizer, test } from './resizer.ts';

const COLORS = ['#c33', '#3c3', '#33c'];
const DELAYS = [100, 200, 300];

/** Writes an animation of three flat colours, 120 × 80 pixels, which plays twice. */
async function makeAnimation(file: string): Promise<string> {
  const frame = (background: string) => ({ create: { width: 120, height: 80, channels: 3 as const, background } });
  const frames = await Promise.all(COLORS.map((color) => sharp(frame(color)).png().toBuffer()));
  await sharp(frames, { join: { animated: true } })
    .toFormat(path.extname(file).slice(1) as 'gif' | 'webp', { delay: DELAYS, loop: 2 })
    .toFile(file);
  return file;
}

/** Returns the number of plays and the delays in milliseconds of an APNG, from its chunks `acTL` and `fcTL`. */
function apngOf(bytes: Buffer): { plays: number; delays: number[] } {
  const found = { plays: Number.NaN, delays: [] as number[] };
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') found.plays = bytes.readUInt32BE(at + 12);
    if (type === 'fcTL') found.delays.push((1000 * bytes.readUInt16BE(at + 28)) / bytes.readUInt16BE(at + 30));
  }
  return found;
}

async function saveAs(resizer: Resizer, format: string): Promise<void> {
  await resizer.page.getByLabel('Save as').selectOption(format);
}

/** Runs, and returns the only result. */
async function resultOf(resizer: Resizer, row: string) {
  await resizer.run();
  await expect(resizer.row(row)).toContainText('Done');
  return await resizer.saved();
}

test(
  'GIF, APNG and WebP animations keep their frames, delays and number of plays',
  also({ quick: true }),
  async ({ resizer, folder }) => {
    await resizer.width.fill('60');
    await resizer.toggleCards('Format');
    await resizer.add(await makeAnimation(path.join(folder, 'a.webp')));
    await expect(resizer.row('a.webp')).toContainText('3 frames');
    await expect(resizer.row('a.webp')).toContainText('→ 60 × 40 · 3 frames');

    await saveAs(resizer, 'png');
    const apng = await resultOf(resizer, 'a.webp');
    expect(apng.name).toBe('a-60x40.png');
    expect(apngOf(apng.bytes)).toEqual({ plays: 2, delays: DELAYS });

    await resizer.page.getByRole('button', { name: 'Clear all' }).click();
    await resizer.add({ name: 'b.png', mimeType: 'image/png', buffer: apng.bytes });
    await resizer.width.fill('30');
    await saveAs(resizer, 'gif');
    await expect(resizer.row('b.png')).toContainText('60 × 40 → 30 × 20 · 3 frames');
    const gif = await resultOf(resizer, 'b.png');
    expect(await sharp(gif.bytes, { animated: true }).metadata()).toMatchObject({
      format: 'gif',
      width: 30,
      pageHeight: 20,
      pages: 3,
      delay: DELAYS,
      loop: 2,
    });

    await resizer.page.getByRole('button', { name: 'Clear all' }).click();
    await resizer.add({ name: 'c.gif', mimeType: 'image/gif', buffer: gif.bytes });
    await resizer.width.fill('15');
    await saveAs(resizer, 'webp');
    const webp = await resultOf(resizer, 'c.gif');
    expect(await sharp(webp.bytes, { animated: true }).metadata()).toMatchObject({
      format: 'webp',
      width: 15,
      pageHeight: 10,
      pages: 3,
      delay: DELAYS,
      loop: 2,
    });
  },
);

test('the first frame can be chosen, and a format without animation says that it holds one', async ({
  resizer,
  folder,
}) => {
  await resizer.width.fill('60');
  await resizer.toggleCards('Format');
  await expect(resizer.page.getByLabel('Animations')).toHaveCount(0);
  await resizer.add(await makeAnimation(path.join(folder, 'a.gif')));
  const row = resizer.row('a.gif');
  await resizer.page.getByLabel('Animations').selectOption('First frame only');
  await expect(row).toContainText('→ 60 × 40 · 1 frame');
  await expect(row).not.toContainText('Animated image');
  const still = await resultOf(resizer, 'a.gif');
  expect(await sharp(still.bytes, { animated: true }).metadata()).toMatchObject({
    format: 'gif',
    width: 60,
    height: 40,
  });
  await expect(row).not.toContainText('Animated image');

  await resizer.page.getByLabel('Animations').selectOption('All frames');
  await saveAs(resizer, 'jpeg');
  const reason = 'Animated image (3 frames). JPEG is saved without animation; only the first frame';
  await expect(row).toContainText(`${reason} will be saved.`);
  await expect(row).toContainText('→ 60 × 40 · 1 frame');
  await resultOf(resizer, 'a.gif');
  await expect(row).toContainText(`${reason} was saved.`);
  await resizer.width.fill('30');
  await row.getByRole('button', { name: 'Save as animated GIF' }).click();
  await expect(row).toContainText('JPEG is saved without animation; this file stays animated.');
  await expect(row.getByRole('button', { name: 'Save as JPEG' })).toBeFocused();
  expect(await sharp((await resultOf(resizer, 'a.gif')).bytes, { animated: true }).metadata()).toMatchObject({
    format: 'gif',
    width: 30,
    pages: 3,
  });
});

test('frames that are damaged are counted in the row and in the summary', async ({ resizer, folder }) => {
  const whole = fs.readFileSync(await makeAnimation(path.join(folder, 'whole.gif')));
  // Cuts into the third frame, whose image descriptor (0x2C) is the last one.
  const cut = path.join(folder, 'cut.gif');
  fs.writeFileSync(cut, whole.subarray(0, whole.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0])) + 12));
  await resizer.width.fill('60');
  await resizer.add(cut);
  const row = resizer.row('cut.gif');
  await expect(row).toContainText('1 of 3 frames is damaged and was skipped.');
  const { bytes } = await resultOf(resizer, 'cut.gif');
  expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(2);
  await expect(row).toContainText('1 of 3 frames is damaged and was skipped.');
  await expect(resizer.page.getByText('1 image resized. 1 damaged frame or page was left out.').first()).toBeVisible();
});

test('a run tells the frame that it resizes, and ends at once when it is cancelled', async ({ resizer, folder }) => {
  const colors = Array.from({ length: 50 }, (_, i) => `hsl(${i * 7} 80% 50%)`);
  const draw = (color: string) =>
    `<svg width="800" height="800"><circle cx="400" cy="400" r="380" fill="${color}"/></svg>`;
  const frames = await Promise.all(
    colors.map((color) =>
      sharp(Buffer.from(draw(color)))
        .png()
        .toBuffer(),
    ),
  );
  const file = path.join(folder, 'long.gif');
  await sharp(frames, { join: { animated: true } })
    .gif({ effort: 1 })
    .toFile(file);
  await resizer.width.fill('700');
  await resizer.add(file);
  await expect(resizer.row('long.gif')).toContainText('Ready');
  await resizer.cancelOnce('long.gif', ' of 50');
  await expect(resizer.row('long.gif')).toContainText('Ready');
  await expect(resizer.page.getByText('Stopped. 0 of 1 images are ready.').first()).toBeVisible();
});

test(
  'the preview plays an animation beside its result, and the keyboard moves the line between them',
  also({ firefox: 'dialogs, sliders and animated images', phone: 'a dialog as large as the screen', quick: true }),
  async ({ resizer, folder, page }) => {
    await resizer.width.fill('60');
    await resizer.add(await makeAnimation(path.join(folder, 'a.gif')));
    const open = page.getByRole('button', { name: 'Preview a.gif' });
    await open.click();
    const dialog = page.getByRole('dialog', { name: 'a.gif' });
    await expect(dialog.getByRole('img', { name: 'Before' })).toBeVisible();
    await expect(dialog.getByRole('img', { name: 'After' })).toHaveCount(0);
    await expect(dialog.getByRole('slider')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(open).toBeFocused();

    await resizer.run();
    await open.click();
    await expect(dialog.locator('img')).toHaveCount(2);
    await expect(dialog).toContainText('After 60 × 40 · GIF');
    const slider = dialog.getByRole('slider', { name: 'Compare before and after' });
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', '51% before');
    await page.keyboard.press('PageDown');
    await expect(slider).toHaveAttribute('aria-valuetext', '41% before');

    await dialog.getByRole('button', { name: 'Pause' }).click();
    await expect(dialog.locator('img')).toHaveCount(0);
    await expect(dialog.getByRole('img', { name: 'After' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expect(dialog.locator('img')).toHaveCount(2);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(open).toBeFocused();
  },
);

test('the preview shows the first frame until Play is pressed if the user prefers reduced motion', async ({
  resizer,
  folder,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await resizer.add(await makeAnimation(path.join(folder, 'a.webp')));
  await page.getByRole('button', { name: 'Preview a.webp' }).click();
  const dialog = page.getByRole('dialog', { name: 'a.webp' });
  const still = dialog.locator('canvas');
  await expect(still).toHaveAttribute('width', '120');
  const middle = await still.evaluate((canvas: HTMLCanvasElement) => [
    ...(canvas.getContext('2d')?.getImageData(60, 40, 1, 1).data ?? []),
  ]);
  // WebP has changed the color #cc3333 of the first frame a little.
  expect(middle.map((value) => Math.round(value / 51))).toEqual([4, 1, 1, 5]);
  await dialog.getByRole('button', { name: 'Play' }).click();
  await expect(dialog.locator('img')).toHaveCount(1);
});

test('the preview of a TIFF shows each page', async ({ resizer, folder, page }) => {
  const file = path.join(folder, 'scan.tif');
  const pages = await Promise.all(
    COLORS.map((background) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  await sharp(pages, { join: { animated: true } })
    .tiff()
    .toFile(file);
  await resizer.width.fill('15');
  await resizer.add(file);
  await resizer.run();
  await page.getByRole('button', { name: 'Preview scan.tif' }).click();
  const dialog = page.getByRole('dialog', { name: 'scan.tif' });
  await expect(dialog).toContainText('1 of 3');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(dialog).toContainText('2 of 3');
  const after = dialog.getByRole('img', { name: 'After' });
  await expect(after).toBeVisible();
  expect(await after.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
    15, 10,
  ]);
});
