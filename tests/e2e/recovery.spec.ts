// Results that survive a tab which the system kills: they are in the browser's storage until they are saved or deleted.

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { expect, makePicture, Resizer, test, unzip } from './resizer.ts';

/** Returns the names of the files of all visits in the browser's storage. */
function stored(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const visits = await root.getDirectoryHandle('results', { create: true });
    const names: string[] = [];
    for await (const visit of visits.values()) {
      if (visit.kind === 'directory') for await (const name of visit.keys()) names.push(name);
    }
    return names.sort();
  });
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function resized(resizer: Resizer, folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    await resizer.add(await makePicture(path.join(folder, name), { width: 400, height: 300 }));
  }
  await resizer.width.fill('100');
  await resizer.run();
}

/** Ends the renderer of a page without any event in it, as a phone does that needs its memory. */
async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

const found = (page: Page) => page.getByRole('region', { name: 'Message' }).filter({ hasText: 'from your last visit' });

test('results of a killed tab are offered at the next visit, and deleted after they were saved', async ({
  resizer,
  folder,
  page,
  context,
}) => {
  await resized(resizer, folder, 'a.jpg', 'b.jpg');
  const expected = unzip((await resizer.saved()).bytes);
  // Saved results have no copy, and a new result replaces the copy of the last one.
  await expect.poll(() => stored(page)).toEqual([]);
  await resizer.width.fill('200');
  await resizer.run();
  await expect.poll(() => stored(page)).toEqual(['2', '2.json', '3', '3.json']);
  await resizer.width.fill('100');
  await resizer.run();
  await expect.poll(() => stored(page)).toEqual(['4', '4.json', '5', '5.json']);
  await kill(page);

  const next = await context.newPage();
  const later = new Resizer(next, undefined);
  await later.open();
  await expect(found(next)).toContainText('2 finished images from your last visit were found.');
  const { name, bytes } = await later.saved(() => found(next).getByRole('button', { name: 'Save' }).click());
  expect(name).toBe('resized-images.zip');
  const sums = (files: { name: string; bytes: Buffer }[]) =>
    files.map((file) => [file.name, sha256(file.bytes)]).sort();
  expect(sums(unzip(bytes))).toEqual(sums(expected));
  await expect(found(next)).toHaveCount(0);
  await next.reload();
  await expect(later.select).toBeEnabled();
  await expect.poll(() => stored(next)).toEqual([]);
  await expect(found(next)).toHaveCount(0);
});

test('results of a killed tab can be deleted; those of an open tab and old ones are not offered', async ({
  resizer,
  folder,
  page,
  context,
}) => {
  await resized(resizer, folder, 'a.jpg');
  await expect.poll(() => stored(page)).toEqual(['0', '0.json']);
  const other = await context.newPage();
  const second = new Resizer(other, undefined);
  await second.open();
  await resized(second, folder, 'b.jpg');
  await expect.poll(async () => (await stored(other)).length).toBe(4);
  await expect(found(other)).toHaveCount(0);
  await kill(page);
  await other.close();

  const next = await context.newPage();
  await new Resizer(next, undefined).open();
  await expect(found(next)).toContainText('2 finished images');
  await next.close();
  // A day and a minute later.
  const tomorrow = await context.newPage();
  await tomorrow.addInitScript(() => {
    const now = Date.now() + 86_460_000;
    globalThis.Date = class extends Date {
      constructor() {
        super(now);
      }
    } as DateConstructor;
  });
  await new Resizer(tomorrow, undefined).open();
  await expect.poll(() => stored(tomorrow)).toEqual([]);
  await expect(found(tomorrow)).toHaveCount(0);
  await tomorrow.close();

  const third = await context.newPage();
  const one = new Resizer(third, undefined);
  await one.open();
  await resized(one, folder, 'a.jpg');
  await expect.poll(() => stored(third)).toEqual(['0', '0.json']);
  await kill(third);
  const last = await context.newPage();
  await new Resizer(last, undefined).open();
  await found(last).getByRole('button', { name: 'Delete' }).click();
  await expect(found(last)).toHaveCount(0);
  await expect.poll(() => stored(last)).toEqual([]);
});
