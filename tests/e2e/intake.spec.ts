// Every way to add images: the file dialog, dropped files and folders, the clipboard; and removing images with Undo.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { also, expect, makePicture, test } from './resizer.ts';

test(
  'the button opens the file dialog, which accepts several files',
  also({ firefox: 'file dialogs', phone: 'opened by touch' }),
  async ({ resizer, folder, page }) => {
    const file = await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), resizer.select.click()]);
    expect(chooser.isMultiple()).toBe(true);
    await chooser.setFiles(file);
    await expect(resizer.row('a.jpg')).toContainText('40 × 30');
  },
);

test('choosing a folder adds its images with their folders', async ({ resizer, folder, page, browserName }) => {
  test.info().skip(browserName === 'firefox', 'Playwright cannot choose folders in Firefox');
  const root = path.join(folder, 'trip');
  await makePicture(path.join(root, 'day 1/a.jpg'), { width: 40, height: 30 });
  fs.writeFileSync(path.join(root, 'readme.txt'), 'not for the list');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Select a folder' }).click(),
  ]);
  // Safari can drop a detached input while its dialog is open.
  expect(await chooser.element().evaluate((input) => input.isConnected)).toBe(true);
  await chooser.setFiles(root);
  await expect(resizer.rows).toHaveCount(1);
  await expect(resizer.row('a.jpg').getByTitle('trip/day 1/a.jpg')).toBeVisible();
});

test('dropping a folder and a file adds the images of the folder and the file', async ({
  resizer,
  folder,
  page,
  browserName,
}) => {
  test.info().skip(browserName === 'firefox', 'only Chromium lets a test drop real folders');
  const root = path.join(folder, 'trip');
  await makePicture(path.join(root, 'day 2/b.png'), { width: 50, height: 40, format: 'png' });
  await makePicture(path.join(root, 'day 1/a.jpg'), { width: 40, height: 30 });
  fs.writeFileSync(path.join(root, '.hidden.jpg'), '');
  fs.writeFileSync(path.join(root, 'readme.txt'), 'not for the list');
  const text = path.join(folder, 'chosen.txt');
  fs.writeFileSync(text, 'dropped directly');

  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [root, text], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await client.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data });
  }
  await expect(page.getByText('Drop to add images')).toBeVisible();
  await client.send('Input.dispatchDragEvent', { type: 'drop', x: 200, y: 300, data });
  await expect(page.getByText('Drop to add images')).toBeHidden();

  await expect(resizer.rows).toHaveCount(3);
  const titles = await resizer.rows
    .getByTitle(/./)
    .filter({ hasText: /\.(jpg|png|txt)$/ })
    .evaluateAll((names) => names.map((name) => name.getAttribute('title')));
  expect(titles).toEqual(['trip/day 1/a.jpg', 'trip/day 2/b.png', 'chosen.txt']);
});

test('dropping a folder without images shows a message', async ({ folder, page, browserName, resizer }) => {
  test.info().skip(browserName === 'firefox', 'only Chromium lets a test drop real folders');
  const root = path.join(folder, 'papers');
  fs.mkdirSync(root);
  fs.writeFileSync(path.join(root, 'readme.txt'), '');
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [root], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data });
  }
  await expect(page.getByText('No images found in “papers”.').first()).toBeVisible();
  await expect(resizer.select).toBeVisible();
});

test('dropping a file adds it', also({ firefox: 'data of a drop', quick: true }), async ({ resizer, folder, page }) => {
  const bytes = fs.readFileSync(await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 }));
  await page.evaluate((base64) => {
    const data = new DataTransfer();
    const binary = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    data.items.add(new File([binary], 'dropped.jpg', { type: 'image/jpeg' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, bytes.toString('base64'));
  await expect(resizer.row('dropped.jpg')).toContainText('40 × 30');
});

test('dropping a link shows a message', also({ firefox: 'data of a drop' }), async ({ page, resizer }) => {
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/uri-list', 'https://example.com/a.jpg');
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('Drop image files here.').first()).toBeVisible();
  await expect(resizer.select).toBeVisible();
});

test(
  'pasting an image adds it, and pasting text shows a message',
  also({ firefox: 'data of a clipboard' }),
  async ({ resizer, folder, page }) => {
    const bytes = fs.readFileSync(
      await makePicture(path.join(folder, 'a.png'), { width: 40, height: 30, format: 'png' }),
    );
    const paste = (base64: string | null) =>
      page.evaluate((content) => {
        const data = new DataTransfer();
        if (content === null) data.setData('text/plain', 'hello');
        else {
          const binary = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          data.items.add(new File([binary], 'image.png', { type: 'image/png' }));
        }
        const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
        // Firefox does not keep the files of a synthetic event.
        Object.defineProperty(event, 'clipboardData', { value: data });
        document.body.dispatchEvent(event);
      }, base64);
    await paste(null);
    await expect(page.getByText('There is no image on the clipboard.').first()).toBeVisible();
    await paste(bytes.toString('base64'));
    await expect(resizer.row('image.png')).toContainText('40 × 30');
  },
);

test(
  'pasting the markup of a drawing adds it; a text field keeps the text',
  also({ firefox: 'data of a clipboard' }),
  async ({ resizer, page }) => {
    const markup = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><path d="M0 0h9v9"/></svg>';
    const copy = (text: string) =>
      page.evaluate((content) => {
        const field = document.body.appendChild(document.createElement('textarea'));
        field.value = content;
        field.select();
        document.execCommand('copy');
        field.remove();
      }, text);
    await page.locator('main h1').click();
    await copy(markup);
    await page.keyboard.press('Control+v');
    await expect(resizer.row('pasted.svg')).toContainText('60 × 40');

    await copy('<svg width="25"/>');
    await resizer.width.focus();
    await page.keyboard.press('Control+v');
    await expect(resizer.rows).toHaveCount(1);
  },
);

test('a file name that contains HTML is shown as text', async ({ resizer, folder, page }) => {
  const name = '<img src=x onerror=document.title=1>.png';
  await resizer.add(await makePicture(path.join(folder, name), { width: 40, height: 30, format: 'png' }));
  await expect(resizer.row(name)).toContainText(name);
  await expect(page).toHaveTitle(/Resize Images Online/);
});

test('a removal can be undone while another message is visible', async ({ resizer, folder, page }) => {
  const one = await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 });
  const other = await makePicture(path.join(folder, 'b.jpg'), { width: 40, height: 30 });
  await resizer.add([one, other]);
  await resizer.run();
  await page.getByRole('button', { name: 'Remove b.jpg' }).click();
  await resizer.saved();
  const messages = page.getByRole('region', { name: 'Message' });
  await expect(messages).toContainText(['“b.jpg” removed.', 'Saved a.jpg']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(resizer.row('b.jpg')).toContainText('40 × 30');
  await expect(messages).toContainText(['Saved a.jpg']);
});

test(
  'a message stays while the pointer is over it, also after it loses the focus',
  also({ firefox: 'focus and pointer events' }),
  async ({ resizer, folder, page }) => {
    await resizer.add([await makePicture(path.join(folder, 'a.jpg'), { width: 40, height: 30 })]);
    await page.clock.install();
    await page.getByRole('button', { name: 'Remove a.jpg' }).click();
    const message = page.getByRole('region', { name: 'Message' });
    await message.hover();
    const close = message.getByRole('button', { name: 'Close' });
    await close.focus();
    await close.blur();
    await page.clock.fastForward(20_000);
    await expect(message).toBeVisible();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(20_000);
    await expect(message).toBeHidden();
  },
);

test(
  'removing and clearing can be undone',
  also({ firefox: 'focus after a removal', phone: 'messages over a narrow list', quick: true }),
  async ({ resizer, folder, page }) => {
    const files = [];
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
      files.push(await makePicture(path.join(folder, name), { width: 40, height: 30 }));
    }
    await resizer.add(files);
    await page.getByRole('button', { name: 'Remove b.jpg' }).click();
    await expect(resizer.rows).toHaveCount(2);
    // The message covers neither the main button nor the rows.
    await resizer.resize.click({ trial: true });
    await page.getByRole('button', { name: 'Remove c.jpg' }).click({ trial: true });
    await expect(page.getByRole('button', { name: 'Remove c.jpg' })).toBeFocused();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(resizer.rows.nth(1)).toContainText('b.jpg');

    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(resizer.select).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(resizer.rows).toHaveCount(3);
  },
);

test('a ZIP archive brings its images with their folders, and a broken one a message', async ({
  resizer,
  folder,
  page,
}) => {
  const image = await makePicture(path.join(folder, 'a.jpg'), { width: 400, height: 300 });
  const archive = path.join(folder, 'holiday.zip');
  const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)
z.write(sys.argv[2], 'day 1/a.jpg')
z.writestr('__MACOSX/day 1/._a.jpg', b'x')
z.writestr('notes.txt', b'text')
z.close()`;
  execFileSync('python3', ['-c', script, archive, image]);
  const broken = path.join(folder, 'broken.zip');
  fs.writeFileSync(broken, fs.readFileSync(archive).subarray(0, 2000));
  await resizer.add([archive, broken]);
  await expect(resizer.rows).toHaveCount(1);
  await expect(resizer.row('a.jpg')).toContainText('holiday/day 1');
  await expect(page.getByText('“broken.zip” cannot be opened.').first()).toBeVisible();
  await resizer.width.fill('100');
  await resizer.run();
  expect((await resizer.saved()).name).toBe('a-100x75.jpg');
});
