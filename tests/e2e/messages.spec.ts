// The messages about files, settings and saving, each brought about by a real file or a fault of the browser.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { expect, headerOf, makePicture, Resizer, test } from './resizer.ts';

/** Returns a PNG of one white pixel whose header says another size. */
async function pngThatClaims(width: number, height: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  // PNG §5.3: the checksum is over the type and the data of the chunk.
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** Returns a JPEG that ends within its tables. */
async function jpegWithoutRows(): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer();
  return jpeg.subarray(0, 200);
}

const tagged = (offset: number, tag: string) => Buffer.from(`${'\0'.repeat(offset)}${tag}${'\0'.repeat(64)}`, 'latin1');

const UNUSABLE: readonly (readonly [name: string, make: () => Buffer | Promise<Buffer>, message: string])[] = [
  ['notes.txt', () => Buffer.from('milk, bread'), 'Not an image. This file cannot be resized.'],
  ['painting.psd', () => tagged(0, '8BPS'), 'This format is not supported yet: PSD.'],
  ['scan.jp2', () => Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'), 'This format is not supported yet: JPEG 2000.'],
  ['camera.raf', () => tagged(0, 'FUJIFILMCCD-RAW'), 'This format is not supported yet: RAW.'],
  ['cut.jpg', jpegWithoutRows, 'This file is damaged.'],
  ['empty.png', () => Buffer.alloc(0), 'This file is empty.'],
  ['flat.png', () => pngThatClaims(100, 0), 'This image has no size. Its width or height is 0.'],
  ['bomb.png', () => pngThatClaims(60_000, 60_000), 'This file claims to be 60000 × 60000, but holds almost no data.'],
  ['letter.pdf', () => Buffer.from('%PDF-1.7\n'), 'This is a PDF'],
  ['film.mkv', () => Buffer.from('\x1a\x45\xdf\xa3', 'latin1'), 'This is a video'],
  ['song.mp3', () => tagged(0, 'ID3'), 'This is a sound file'],
  ['table.xls', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'This is an Office document'],
];

test('each file that cannot be used says why; the others are resized', async ({ resizer, folder, page }) => {
  const files = [];
  for (const [name, make] of UNUSABLE) {
    files.push(path.join(folder, name));
    fs.writeFileSync(path.join(folder, name), await make());
  }
  await resizer.add([...files, await makePicture(path.join(folder, 'good.jpg'), { width: 400, height: 300 })]);
  for (const [name, , message] of UNUSABLE) await expect(resizer.row(name)).toContainText(message);
  await resizer.width.fill('100');
  await resizer.run();
  await expect(
    page.getByText(`1 of ${files.length + 1} images resized. ${files.length} failed.`).first(),
  ).toBeVisible();
  expect((await resizer.saved()).name).toBe('good-100x75.jpg');
});

test('what a result loses is said on its row', async ({ resizer, folder, page }) => {
  const deep = path.join(folder, 'deep.png');
  const samples = Uint16Array.from({ length: 60 * 40 * 3 }, (_, i) => (i * 37) % 65_536);
  await sharp(samples, { raw: { width: 60, height: 40, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toFile(deep);
  const clear = path.join(folder, 'clear.png');
  await sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 9, g: 99, b: 9, alpha: 0.5 } } })
    .png()
    .toFile(clear);
  const pages = path.join(folder, 'pages.tif');
  await sharp(Buffer.alloc(60 * 120 * 3, 99), { raw: { width: 60, height: 120, channels: 3, pageHeight: 40 } })
    .tiff()
    .toFile(pages);
  await resizer.add([deep, clear, pages]);
  await resizer.width.fill('30');
  await resizer.toggleCards('Format');
  await page.getByLabel('Save as').selectOption('JPEG');
  await expect(resizer.row('pages.tif')).toContainText('3 pages. JPEG holds one page');
  await resizer.run();
  await expect(resizer.row('deep.png')).toContainText('JPEG stores 8 bits per colour.');
  await expect(resizer.row('clear.png')).toContainText('Transparent areas get the background colour.');
  await resizer.row('clear.png').getByRole('button', { name: 'Change colour' }).click();
  await expect(page.getByLabel('Colour behind transparent areas')).toBeFocused();
  await resizer.row('clear.png').getByRole('button', { name: 'Use PNG' }).click();
  await resizer.run();
  await expect(resizer.row('clear.png')).not.toContainText('Transparent areas');
  await expect(resizer.row('deep.png')).not.toContainText('8 bits');
});

test('sizes that a format or the number field does not allow say the limit', async ({ resizer, folder, page }) => {
  await resizer.add(await makePicture(path.join(folder, 'wide.jpg'), { width: 700, height: 10 }));
  await page.getByLabel('Don’t enlarge smaller images').uncheck();
  await resizer.width.fill('70000');
  await expect(resizer.row('wide.jpg')).toContainText('JPEG can be at most 65,535 pixels wide or high.');
  await expect(resizer.row('wide.jpg')).toContainText('Not possible');
  await expect(resizer.resize).toBeDisabled();
  await resizer.width.fill('99999');
  await resizer.height.fill('99999');
  await expect(page.getByText('megapixels) per image. Check the number.').first()).toBeVisible();
  await page.getByText('More sizes').click();
  await page.getByLabel('Megapixels').fill('1001');
  await expect(page.getByText('Enter a number of megapixels above 0, up to 1,000.').first()).toBeVisible();
  await page.getByLabel('Several widths').fill('100, x');
  await expect(page.locator('#size-note')).toHaveAttribute('data-problem', 'true');
  await page.getByLabel('Several widths').fill('300');
  await expect(resizer.row('wide.jpg')).toContainText('300 × 4');
});

test('an image that needs more memory than there is says how much', async ({ resizer, folder, page }) => {
  // A picture that is turned by a quarter is held whole at its new size: 31,000² pixels of eight bytes.
  const deep = path.join(folder, 'deep.png');
  const samples = Uint16Array.from({ length: 30 * 30 * 4 }, (_, i) => (i * 37) % 65_536);
  await sharp(samples, { raw: { width: 30, height: 30, channels: 4 } })
    .toColourspace('rgb16')
    .png()
    .toFile(deep);
  await resizer.add(deep);
  await page.getByLabel('Don’t enlarge smaller images').uncheck();
  const width = page.getByRole('textbox', { name: 'Width in pixels' });
  await width.fill('31000');
  await page.getByText('More sizes').click();
  await page.getByRole('button', { name: 'Rotate right' }).click();
  await resizer.resize.click();
  await expect(resizer.row('deep.png')).toContainText(
    /Too large for this device\. It needs about .*GB of memory; .* is available/,
  );
  await expect(page.getByText('No image could be resized.').first()).toBeVisible();
  // No worker can have as much.
  await expect(page.getByRole('button', { name: 'Try anyway' })).toBeHidden();
  await width.fill('100');
  await resizer.run();
  await expect(resizer.row('deep.png')).toContainText('Done');
});

test('an image of which a part is missing can be left out', async ({ resizer, folder, page }) => {
  const whole = await makePicture(path.join(folder, 'whole.jpg'), { width: 600, height: 400 });
  const bytes = fs.readFileSync(whole);
  const cut = path.join(folder, 'cut.jpg');
  fs.writeFileSync(cut, bytes.subarray(0, Math.round(bytes.length * 0.6)));
  await resizer.add([whole, cut]);
  await resizer.width.fill('100');
  await resizer.run();
  await expect(resizer.row('cut.jpg')).toContainText('Part of this image is missing.');
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect(resizer.row('cut.jpg')).toBeHidden();
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  expect((await resizer.saved()).name).toBe('whole-100x67.jpg');
});

/** Returns a WebAssembly module whose memory cannot grow by more than some pages of 64 KiB. */
function withLimitedMemory(module: Buffer, pages: number): Buffer {
  // WebAssembly §5.5.8: section 5 has a count of memories, then flags, minimum and, with flag 1, maximum, as LEB128.
  const leb = (start: number): [value: number, end: number] => {
    let value = 0;
    for (let at = start; ; at += 1) {
      value += ((module[at] ?? 0) & 0x7f) * 128 ** (at - start);
      if ((module[at] ?? 0) < 0x80) return [value, at + 1];
    }
  };
  const padded = (value: number) =>
    [0, 7, 14, 21, 28].map((shift) => ((value / 2 ** shift) & 0x7f) | (shift < 28 ? 0x80 : 0));
  for (let at = 8; at < module.length; ) {
    const [size, start] = leb(at + 1);
    if (module[at] === 5) {
      const [least] = leb(start + 2);
      const section = [1, 1, ...padded(least), ...padded(least + pages)];
      return Buffer.concat([
        module.subarray(0, at),
        Buffer.from([5, section.length, ...section]),
        module.subarray(start + size),
      ]);
    }
    at = start + size;
  }
  throw new Error('the module has no memory');
}

test('an image for which the browser gives no memory says so, and the others are resized', async ({ page, folder }) => {
  await page.route('**/*core*.wasm', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: withLimitedMemory(await response.body(), 320) });
  });
  const resizer = new Resizer(page, undefined);
  await resizer.open();
  const large = await makePicture(path.join(folder, 'large.png'), { width: 6000, height: 4000, format: 'png' });
  const small = await makePicture(path.join(folder, 'small.jpg'), { width: 400, height: 300 });
  await resizer.add([large, small]);
  await resizer.percent.first().fill('90');
  await page.getByText('More sizes').click();
  await page.getByRole('button', { name: 'Rotate right' }).click();
  await resizer.run();
  await expect(resizer.row('small.jpg')).toContainText('Done');
  await expect(resizer.row('large.png')).toContainText('Not enough memory for this image on this device.');
  await page.getByRole('button', { name: 'Try large.png again' }).click();
  await expect(resizer.row('large.png')).toContainText('Not enough memory for this image on this device.');
});

test('a worker that dies costs its image only, which can be tried again', async ({ page, folder }) => {
  // The worker of the page, which throws at each job for an image of 400 pixels.
  const workers = '**/assets/worker/worker-*.js';
  const fault = `addEventListener('message', (event) => {
    if (event.data.kind !== 'run' || event.data.file?.name !== 'bad.jpg') return;
    event.stopImmediatePropagation();
    throw new Error('thrown on purpose');
  });`;
  await page.route(workers, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: fault + (await response.text()) });
  });
  const resizer = new Resizer(page, undefined);
  await resizer.open();
  const bad = await makePicture(path.join(folder, 'bad.jpg'), { width: 400, height: 300 });
  const good = await makePicture(path.join(folder, 'good.jpg'), { width: 400, height: 300 });
  await resizer.add([bad, good]);
  await resizer.width.fill('100');
  await resizer.run();
  await expect(resizer.row('bad.jpg')).toContainText('Something went wrong with this image. It was tried twice.');
  await expect(resizer.row('good.jpg')).toContainText('Done');
  await expect(page.getByRole('button', { name: 'Try bad.jpg again' })).toBeVisible();
  await page.getByRole('button', { name: 'Try bad.jpg again' }).click();
  await expect(resizer.row('bad.jpg')).toContainText('It was tried twice.');
  expect((await resizer.saved()).name).toBe('good-100x75.jpg');
});

test('a browser without WebAssembly says so on each row', async ({ page, folder }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  const resizer = new Resizer(page, undefined);
  await resizer.open();
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
  await expect(resizer.row('a.jpg')).toContainText('This browser is too old, or WebAssembly is switched off.');
});

test('an archive with a password says so', async ({ resizer, folder, page }) => {
  const image = await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 });
  const archive = path.join(folder, 'secret.zip');
  execFileSync('python3', [
    '-c',
    "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w')\nz.write(sys.argv[2], 'a.jpg')\nz.close()",
    archive,
    image,
  ]);
  // APPNOTE 4.4.4: bit 0 of the general purpose flags, in the local header and in the directory.
  const bytes = fs.readFileSync(archive);
  bytes[6] = (bytes[6] ?? 0) | 1;
  const entry = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  bytes[entry + 8] = (bytes[entry + 8] ?? 0) | 1;
  fs.writeFileSync(archive, bytes);
  await resizer.add(archive);
  await expect(page.getByText('“secret.zip” is protected with a password.').first()).toBeVisible();
});

test('results are kept when they cannot be shared, copied or written, and the message says so', async ({
  resizer,
  folder,
  page,
}) => {
  await page.evaluate(() => {
    const fail = (name: string) => () => Promise.reject(new DOMException('on purpose', name));
    Object.assign(navigator, { canShare: () => true, share: fail('NotAllowedError') });
    Object.assign(navigator.clipboard, { write: fail('NotAllowedError') });
    const full = () => new WritableStream({ write: fail('QuotaExceededError') });
    const file = { createWritable: () => Promise.resolve(full()) };
    const getFileHandle = (_: string, options?: { create?: boolean }) =>
      options?.create ? Promise.resolve(file) : fail('NotFoundError')();
    Object.assign(window, {
      showDirectoryPicker: async () => ({
        kind: 'directory',
        name: 'Pictures',
        getFileHandle,
        removeEntry: async () => undefined,
      }),
    });
  });
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
  await resizer.width.fill('100');
  await resizer.run();
  for (const [way, message] of [
    ['Share…', 'Sharing did not work.'],
    ['Copy image', 'The image could not be copied.'],
    ['Save to folder…', 'The disk is full.'],
  ] as const) {
    await page.getByRole('button', { name: 'More ways to save' }).click();
    await page.getByRole('menuitem', { name: way }).click();
    await expect(page.getByText(message).first()).toBeVisible();
    await expect(resizer.save).toBeEnabled();
  }
  expect(await headerOf((await resizer.saved()).bytes)).toMatchObject({ width: 100 });
});

test('a folder that cannot be written is said, and another one takes the results', async ({
  resizer,
  folder,
  page,
}) => {
  // Chromium opens the folder, and refuses the file: a read-only disk, or a permission that was taken back.
  const refusals = ['NotAllowedError', 'NoModificationAllowedError'];
  await page.evaluate(async (refusals) => {
    const root = await navigator.storage.getDirectory();
    const chosen = await root.getDirectoryHandle('Pictures', { create: true });
    const original = FileSystemFileHandle.prototype.createWritable;
    Object.assign(FileSystemFileHandle.prototype, {
      createWritable(this: FileSystemFileHandle) {
        // Results are kept for the next visit in files of other names.
        const refusal = this.name.endsWith('.jpg') ? refusals.shift() : undefined;
        if (refusal !== undefined) return Promise.reject(new DOMException('on purpose', refusal));
        return original.call(this);
      },
    });
    Object.assign(window, { showDirectoryPicker: () => Promise.resolve(chosen) });
  }, refusals);
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 }));
  await resizer.width.fill('100');
  await resizer.run();
  const choose = async () => {
    await page.getByRole('button', { name: 'More ways to save' }).click();
    await page.getByRole('menuitem', { name: 'Save to folder…' }).click();
  };
  const refused = page
    .locator('[data-tone=critical]')
    .filter({ hasText: 'The folder cannot be written. Your results are still here.' });
  for (const _ of refusals) {
    await choose();
    await expect(refused).toBeVisible();
    await refused.getByRole('button', { name: 'Close' }).click();
    await expect(refused).toHaveCount(0);
  }
  await choose();
  await expect(page.getByText(/^1 file saved in “Pictures” \([^)]*\)\.$/).first()).toBeVisible();
});

test('a damaged colour profile is said, and sRGB is assumed', async ({ resizer, folder }) => {
  const file = path.join(folder, 'profile.jpg');
  const orange = { create: { width: 200, height: 100, channels: 3 as const, background: '#c96433' } };
  const bytes = await sharp(orange).withIccProfile('p3').jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
  // ICC.1 §7.2.6: the colour space of the data is at byte 16. The profile begins 14 bytes behind the start of its name.
  bytes.write('CMYK', bytes.indexOf('ICC_PROFILE') + 14 + 16, 'latin1');
  fs.writeFileSync(file, bytes);
  await resizer.add(file);
  await resizer.width.fill('100');
  await resizer.run();
  await expect(resizer.row('profile.jpg')).toContainText('The colour profile is damaged; sRGB was assumed.');
  const saved = (await resizer.saved()).bytes;
  expect((await sharp(saved).metadata()).icc).toBeUndefined();
  const [was, is] = await Promise.all([bytes, saved].map((file) => sharp(file).raw().toBuffer()));
  for (const channel of [0, 1, 2]) expect(Math.abs((was?.[channel] ?? 0) - (is?.[channel] ?? 0))).toBeLessThan(4);
});

test.describe('with touch', () => {
  test.use({ hasTouch: true, isMobile: true });
  test('a refused clipboard is said', async ({ page }) => {
    await page.addInitScript(() => {
      Object.assign(Clipboard.prototype, { read: () => Promise.reject(new DOMException('no', 'NotAllowedError')) });
    });
    const resizer = new Resizer(page, undefined);
    await resizer.open();
    await page.getByRole('button', { name: 'Paste', exact: true }).click();
    await expect(page.getByText('The browser did not allow reading the clipboard.').first()).toBeVisible();
  });
});

test('names that a file cannot have are said under their field', async ({ resizer, folder, page }) => {
  await resizer.add(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
  await resizer.toggleCards('File names');
  const pattern = page.getByLabel('Pattern');
  await pattern.fill('{nam}');
  await expect(page.getByText('{nam} is not known.').first()).toBeVisible();
  await pattern.fill('{name}?');
  await expect(page.getByText('A file name cannot contain ?.').first()).toBeVisible();
});

test('a kept original that is gone before it is saved is left out of the archive, and the message says so', async ({
  resizer,
  folder,
  page,
}) => {
  const gone = await makePicture(path.join(folder, 'gone.jpg'), { width: 40, height: 30 });
  await resizer.add([gone, await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 })]);
  await resizer.width.fill('100');
  await resizer.run();
  await expect(resizer.row('gone.jpg')).toContainText('Already smaller');
  fs.rmSync(gone);
  expect((await resizer.saved()).name).toBe('a-100x75.jpg');
  await expect(page.getByText('1 file was moved or changed and was not saved.').first()).toBeVisible();
});
