// The settings of a phone as a sheet: how it opens and closes, what is reachable meanwhile, and the on-screen keyboard.

import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { violations } from './axe.ts';
import { also, expect, makePicture, test } from './resizer.ts';

test.use({
  hasTouch: true,
  // Firefox cannot pretend to be a phone.
  isMobile: ({ browserName }, use) => use(browserName !== 'firefox'),
  viewport: { width: 390, height: 844 },
});

const summaryOf = (page: Page) => page.getByRole('button', { name: /^Settings: / });
const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Settings' });
const scrollTop = (page: Page) => page.evaluate(() => window.scrollY);

const isFirefox = (page: Page) => page.context().browser()?.browserType().name() === 'firefox';
/** Taps at a point. Firefox's driver sends no touches, so the mouse clicks there. */
const tapAt = (page: Page, x: number, y: number) =>
  isFirefox(page) ? page.mouse.click(x, y) : page.touchscreen.tap(x, y);
/** Taps on an element. Firefox's driver scrolls to a button in the bar, although it is visible; a click at a point does not. */
const tap = async (element: Locator) => {
  if (!isFirefox(element.page())) return element.tap();
  await expect(element).toBeVisible();
  const { x, y } = await middleOf(element);
  return element.page().mouse.click(x, y);
};

const canBeFocused = (element: Locator) => element.evaluate((node) => node.closest('[inert]') === null);

/** Writes a small photograph and returns copies of it with the names of a camera. */
async function photographs(folder: string, count: number) {
  const file = await makePicture(path.join(folder, 'photograph.jpg'), { width: 600, height: 400 });
  const buffer = fs.readFileSync(file);
  return Array.from({ length: count }, (_, i) => ({ name: `IMG_${4000 + i}.jpg`, mimeType: 'image/jpeg', buffer }));
}

/** Returns the middle of an element. */
async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
  return { x: x + width / 2, y: y + height / 2 };
}

test('fifty photographs: another width takes one tap and no scrolling', async ({ resizer, folder, page }) => {
  await resizer.width.fill('300');
  await resizer.add(await photographs(folder, 50));
  await expect(summaryOf(page)).toHaveText('300 px wide · same format · 50 will shrink');
  const row = resizer.row('IMG_4030.jpg');
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    window.addEventListener('pointerdown', () => {
      dataset['taps'] = String(Number(dataset['taps'] ?? 0) + 1);
    });
  });
  const before = await scrollTop(page);
  expect(before).toBeGreaterThan(1000);
  await tap(summaryOf(page));
  await expect(sheetOf(page)).toBeVisible();
  await expect(resizer.width).toBeFocused();
  await page.keyboard.type('200');
  await expect(summaryOf(page)).toHaveText('200 px wide · same format · 50 will shrink');
  await page.keyboard.press('Enter');
  await expect(sheetOf(page)).toBeHidden();
  await expect(summaryOf(page)).toBeFocused();
  await expect(row).toBeInViewport({ ratio: 0.9 });
  await expect(row).toContainText('200 × 133');
  expect(await scrollTop(page)).toBe(before);
  expect(await page.evaluate(() => document.documentElement.dataset['taps'])).toBe('1');
});

test(
  'the sheet closes in every usual way, and keeps the page where it was',
  also({ firefox: 'history, focus and scrolling' }),
  async ({ resizer, folder, page }) => {
    await resizer.add(await photographs(folder, 12));
    await expect(summaryOf(page)).toContainText('12 not resized');
    const sheet = sheetOf(page);
    const add = page.getByRole('button', { name: 'Add images' });
    // The focus scrolls to the button, so the test scrolls afterwards.
    await expect(add).toBeFocused();
    await page.evaluate(() => window.scrollTo(0, 400));
    const address = page.url();
    const ways: Record<string, () => Promise<unknown>> = {
      'the button': () => tap(sheet.getByRole('button', { name: 'Done' })),
      Escape: () => page.keyboard.press('Escape'),
      Back: () => page.goBack(),
      'the page behind it': () => tapAt(page, 195, 12),
      'the summary': () => tap(summaryOf(page)),
      'a drag down': async () => {
        const from = await middleOf(sheet.getByRole('heading', { name: 'Settings' }));
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x, from.y + 150, { steps: 4 });
        await page.mouse.up();
      },
    };
    for (const [name, close] of Object.entries(ways)) {
      await tap(summaryOf(page));
      await expect(sheet, name).toBeVisible();
      await expect(resizer.width).toBeFocused();
      // The rest of the page is out of reach meanwhile.
      expect(await canBeFocused(add), name).toBe(false);
      await close();
      await expect(sheet, name).toBeHidden();
      await expect(summaryOf(page), name).toBeFocused();
      expect(await canBeFocused(add), name).toBe(true);
      expect(await scrollTop(page), name).toBe(400);
      await expect.poll(() => page.evaluate(() => history.state?.sheet ?? false), name).toBe(false);
    }
    expect(page.url()).toBe(address);
    await expect(resizer.rows).toHaveCount(12);
  },
);

test(
  'fields keep what was opened and typed, and a run closes the sheet',
  also({ firefox: 'dialogs and fields' }),
  async ({ resizer, folder, page }) => {
    await resizer.add(await photographs(folder, 3));
    const sheet = sheetOf(page);
    await summaryOf(page).click();
    await expect(resizer.width).toBeFocused();
    await page.keyboard.type('0');
    await expect(summaryOf(page)).toHaveText('Check the settings');
    await page.keyboard.press('Escape');
    await summaryOf(page).click();
    await expect(resizer.width).toHaveValue('0');
    await resizer.width.fill('300');
    await resizer.toggleCards('Format');
    await page.getByLabel('Save as').selectOption('png');
    await expect(summaryOf(page)).toHaveText('300 px wide · PNG · 3 will shrink');
    await sheet.getByRole('button', { name: 'Resize Images' }).click();
    await expect(sheet).toBeHidden();
    await expect(resizer.row('IMG_4002.jpg')).toContainText('Done', { timeout: 30_000 });
    await expect(resizer.save).toBeEnabled();
    await expect(summaryOf(page)).toHaveText('300 px wide · PNG');
  },
);

test('an on-screen keyboard moves the sheet up, and the focused field stays visible', async ({
  resizer,
  folder,
  page,
}) => {
  await resizer.add(await photographs(folder, 3));
  await tap(summaryOf(page));
  await expect(resizer.width).toBeFocused();
  // Browsers without a screen keyboard: the visible part of the page becomes as small as with one.
  const keyboard = 380;
  await page.evaluate((height) => {
    const { visualViewport, innerHeight } = window;
    Object.defineProperty(visualViewport, 'height', { configurable: true, value: innerHeight - height });
    visualViewport?.dispatchEvent(new Event('resize'));
  }, keyboard);
  const bottom = () => sheetOf(page).evaluate((sheet) => sheet.getBoundingClientRect().bottom);
  await expect.poll(bottom).toBe(844 - keyboard);
  for (const label of ['Width', 'Longest side']) {
    const field = page.getByLabel(label);
    await field.focus();
    await page.evaluate(() => window.visualViewport?.dispatchEvent(new Event('resize')));
    const place = await field.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === element;
    });
    expect(place, label).toBe(true);
  }
});

test('the sheet becomes the column beside the list when the screen becomes wide', async ({ resizer, folder, page }) => {
  await resizer.add(await photographs(folder, 3));
  await tap(summaryOf(page));
  await expect(sheetOf(page)).toBeVisible();
  await page.setViewportSize({ width: 1100, height: 700 });
  await expect(sheetOf(page)).toHaveCount(0);
  await expect(summaryOf(page)).toHaveCount(0);
  await expect(resizer.width).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Add images' })).toBeEnabled();
});

for (const theme of ['light', 'dark']) {
  test(`axe finds no violation in the open sheet, ${theme}`, async ({ resizer, folder, page }) => {
    await page.evaluate((name) => document.documentElement.classList.toggle('dark', name === 'dark'), theme);
    await resizer.add(await photographs(folder, 3));
    await expect(resizer.row('IMG_4002.jpg')).toContainText('600 × 400');
    expect(await violations(page)).toEqual([]);
    await tap(summaryOf(page));
    const sheet = sheetOf(page);
    await resizer.toggleCards('Format', 'Presets');
    await expect(sheet.getByRole('button', { name: 'Copy link to these settings' })).toBeVisible();
    await page.getByLabel('Keep proportions').uncheck();
    await expect(page.getByRole('group', { name: 'Part to keep' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

test('rows are about 80 pixels high, and names keep their end', async ({ resizer, folder }) => {
  await resizer.width.fill('300');
  const [photograph] = await photographs(folder, 1);
  await resizer.add([{ ...photograph, name: `${'holiday '.repeat(8)}IMG_4711.jpg` } as NonNullable<typeof photograph>]);
  const row = resizer.rows.first();
  const height = async () => (await row.boundingBox())?.height ?? 0;
  await expect(row).toContainText('300 × 200');
  expect(await height()).toBeLessThanOrEqual(88);
  const end = row.getByText('IMG_4711.jpg', { exact: true });
  await expect(end).toBeInViewport({ ratio: 1 });
  expect(await end.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
  await resizer.run();
  await expect(row).toContainText('Done');
  expect(await height()).toBeLessThanOrEqual(88);
});
