// The menu beside Save, with real downloads, folders and the clipboard. Python reads the archives.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, headerOf, makePicture, type Resizer, test, unzip } from './resizer.ts';

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAKEN = new Date(2019, 6, 4, 9, 8, 6);

/** Writes pictures of 400 × 300 with the date. */
function pictures(folder: string, ...names: string[]): Promise<string[]> {
  return Promise.all(
    names.map(async (name) => {
      const file = await makePicture(path.join(folder, name), { width: 400, height: 300 });
      fs.utimesSync(file, TAKEN, TAKEN);
      return file;
    }),
  );
}

async function resized(resizer: Resizer, files: string[]): Promise<void> {
  await resizer.add(files);
  await resizer.width.fill('100');
  await resizer.run();
}

async function choose({ page }: Resizer, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More ways to save' }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

test('an archive has the dates of the originals', async ({ resizer, folder }) => {
  await resized(resizer, await pictures(folder, 'a.jpg'));
  const { name, bytes } = await resizer.saved(() => choose(resizer, 'Save as ZIP'));
  expect(name).toBe('resized-images.zip');
  const file = path.join(folder, name);
  fs.writeFileSync(file, bytes);
  const script =
    'import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint(json.dumps([z.testzip(), [[i.filename, i.date_time] for i in z.infolist()]]))';
  const read = JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }));
  expect(read).toEqual([null, [['a-100x75.jpg', [2019, 7, 4, 9, 8, 6]]]]);
});

test('the menu works with the keyboard and has no accessibility problem', async ({ resizer, folder, page }) => {
  await resizer.add(await pictures(folder, 'a.jpg', 'b.jpg'));
  const button = page.getByRole('button', { name: 'More ways to save' });
  await expect(button).toBeDisabled();
  await resizer.width.fill('100');
  await resizer.run();
  await button.focus();
  await page.keyboard.press('ArrowDown');
  const menu = page.getByRole('menu', { name: 'More ways to save' });
  await expect(menu).toBeFocused();
  const active = () =>
    menu.evaluate((list) => document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.textContent);
  expect(await active()).toBe('Save as ZIP');
  await page.keyboard.press('End');
  expect(await active()).toBe('Report (JSON)');
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
  expect(violations).toEqual([]);
  // The menu is inside the window, although the card with the button clips.
  const box = await menu.boundingBox();
  const last = await page.getByRole('menuitem').last().boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  const { name } = await resizer.saved(() => page.keyboard.press('Enter'));
  expect(name).toBe('resized-images.zip');
  await expect(button).toBeFocused();
});

test('names follow the pattern, and the first one is shown before', async ({ resizer, folder, page }) => {
  await resizer.add(await pictures(folder, 'a.jpg', 'b.jpg'));
  await resizer.width.fill('100');
  await resizer.toggleCards('File names');
  const pattern = page.getByLabel('Pattern');
  await pattern.fill('web ');
  await expect(page.getByText('All files would have the same name.')).toBeVisible();
  await page.getByRole('button', { name: '{n}', exact: true }).click();
  await expect(pattern).toHaveValue('web {n}');
  await expect(page.getByText('Example: web 1.jpg')).toBeVisible();
  await pattern.pressSequentially('/{x}');
  await expect(pattern).toHaveAccessibleErrorMessage(/^\{x\} is not known\./);
  await pattern.fill('web {n}');
  await resizer.run();
  const row = await resizer.saved(() => page.getByRole('button', { name: 'Save b.jpg' }).click());
  expect(row.name).toBe('web 2.jpg');

  await page.getByLabel('Keep original names').check();
  const { bytes } = await resizer.saved();
  expect(unzip(bytes).map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg']);
  await page.reload();
  await resizer.toggleCards('File names');
  await expect(pattern).toHaveValue('{name}');
  await page.getByRole('button', { name: 'Reset settings' }).click();
  await expect(pattern).toHaveValue('{name}-{w}x{h}');
});

test('a folder gets the files and keeps its own', async ({ resizer, folder, page }) => {
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const chosen = await root.getDirectoryHandle('Pictures', { create: true });
    const own = await (await chosen.getFileHandle('a-100x75.jpg', { create: true })).createWritable();
    await own.write('mine');
    await own.close();
    Object.assign(window, { showDirectoryPicker: () => Promise.resolve(chosen) });
  });
  await resized(resizer, await pictures(folder, 'a.jpg', 'b.jpg'));
  await choose(resizer, 'Save to folder…');
  const message = /^2 files saved in “Pictures” .* “a-100x75.jpg” already exists\. .*“a-100x75 \(2\)\.jpg”/;
  await expect(page.getByRole('status').filter({ hasText: message })).toBeAttached();
  const sizes = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const chosen = await root.getDirectoryHandle('Pictures');
    const found: Record<string, number> = {};
    for await (const [name, handle] of chosen.entries()) {
      found[name] = (await (handle as FileSystemFileHandle).getFile()).size;
    }
    return found;
  });
  expect(Object.keys(sizes).sort()).toEqual(['a-100x75 (2).jpg', 'a-100x75.jpg', 'b-100x75.jpg']);
  expect(sizes['a-100x75.jpg']).toBe(4);
  expect(sizes['b-100x75.jpg']).toBeGreaterThan(100);
});

test('files are saved one by one', async ({ resizer, folder, page }) => {
  await resized(resizer, await pictures(folder, 'a.jpg', 'b.jpg'));
  const names: string[] = [];
  page.on('download', (download) => names.push(download.suggestedFilename()));
  await choose(resizer, 'Save one by one');
  await expect.poll(() => names).toEqual(['a-100x75.jpg', 'b-100x75.jpg']);
});

test('the only image goes to the clipboard as PNG', async ({ resizer, folder, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await resized(resizer, await pictures(folder, 'a.jpg'));
  await choose(resizer, 'Copy image');
  await expect(page.getByText('The image is on the clipboard.').first()).toBeVisible();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const blob = await item?.getType('image/png');
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  });
  expect(await headerOf(Buffer.from(copied))).toEqual({ format: 'png', width: 100, height: 75 });
});

test('the report has the checksum of each result', async ({ resizer, folder }) => {
  await resized(resizer, await pictures(folder, 'a.jpg'));
  const image = await resizer.saved();
  const report = await resizer.saved(() => choose(resizer, 'Report (JSON)'));
  expect(report.name).toBe('resized-images.json');
  const sha256 = createHash('sha256').update(image.bytes).digest('hex');
  expect(JSON.parse(report.bytes.toString())).toMatchObject({
    files: [{ file: 'a.jpg', saved_as: 'a-100x75.jpg', saved_bytes: image.bytes.length, saved_sha256: sha256 }],
  });
  const table = await resizer.saved(() => choose(resizer, 'Report (CSV)'));
  expect(table.bytes.toString()).toContain(sha256);
});

test('images are shared in groups of 25, each with a click', async ({ resizer, folder, page }) => {
  await page.evaluate(() => {
    const shared: number[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ files }: { files: File[] }) => {
        if (!navigator.userActivation.isActive) return Promise.reject(new DOMException('no click', 'NotAllowedError'));
        shared.push(files.length);
        return Promise.resolve();
      },
    });
  });
  const [first = ''] = await pictures(folder, '0.jpg');
  const others = Array.from({ length: 29 }, (_, i) => path.join(folder, `${i + 1}.jpg`));
  for (const file of others) fs.copyFileSync(first, file);
  await resized(resizer, [first, ...others]);
  await choose(resizer, 'Share…');
  await expect(page.getByText('25 of 30 images shared. Up to 25 can be shared at once.')).toBeVisible();
  await page.getByRole('button', { name: 'Share the next 5' }).click();
  await expect(page.getByText('30 images shared.').first()).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { shared: number[] }).shared)).toEqual([25, 5]);
});

test('several widths give one file each, and their HTML goes to the clipboard', async ({
  resizer,
  folder,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await resizer.add(await makePicture(path.join(folder, 'a b.jpg'), { width: 400, height: 300 }));
  await page.getByText('More sizes').click();
  await page.getByLabel('Several widths').fill('100, 200, 800');
  await expect(resizer.row('a b.jpg')).toContainText('2 files');
  await resizer.run();
  const { bytes } = await resizer.saved();
  const files = unzip(bytes);
  expect(files.map(({ name }) => name)).toEqual(['a b-200x150.jpg', 'a b-100x75.jpg']);
  expect(await Promise.all(files.map(async (file) => (await headerOf(file.bytes)).width))).toEqual([200, 100]);
  await choose(resizer, 'Copy HTML with srcset');
  await expect(page.getByText('The HTML is on the clipboard.').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    '<img src="a%20b-200x150.jpg" srcset="a%20b-200x150.jpg 200w, a%20b-100x75.jpg 100w" sizes="100vw" width="200" height="150" alt="">',
  );
  await page.getByLabel('Several widths').fill('100, wide');
  await expect(page.getByText('Enter up to 10 widths')).toBeVisible();
});
