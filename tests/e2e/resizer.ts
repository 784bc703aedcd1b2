// What the scenarios share: pictures made on the spot, the page object of the resizer, results read by other programs.

import fs from 'node:fs';
import path from 'node:path';
import { test as base, expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import { newFileIn } from '../lib/downloads.mjs';

const sharedDir = process.env['SHARED_DIR'] ?? path.resolve(import.meta.dirname, '../../../shared');

/** A real photograph, or null (and a word on the terminal) where this machine has none. */
export function photograph(name: string): string | null {
  const file = path.join(sharedDir, 'photos', name);
  if (fs.existsSync(file)) return file;
  process.stderr.write(`!! ${file} is missing: a scenario with real photographs is left out\n`);
  return null;
}

/** Where a scenario runs, apart from once in Chromium, and what could differ there. */
interface Elsewhere {
  readonly firefox?: string;
  readonly phone?: string;
  /** Part of `npm run test:quick`. */
  readonly quick?: true;
}

/** The tags by which playwright.config.ts selects scenarios. */
export function also({ quick, ...projects }: Elsewhere) {
  const reasons = Object.entries(projects);
  return {
    tag: [...reasons.map(([project]) => `@${project}`), ...(quick ? ['@quick'] : [])],
    annotation: reasons.map(([project, description]) => ({ type: `also in ${project}`, description })),
  };
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly format?: 'jpeg' | 'png';
}

/** Writes a picture with something to see in it. */
export async function makePicture(file: string, { width, height, format = 'jpeg' }: Picture): Promise<string> {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const noise = sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 120, sigma: 30 } },
  });
  await noise.toFormat(format).toFile(file);
  return file;
}

export interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The resizer as somebody sees it: by the names of its controls. */
export class Resizer {
  readonly page: Page;
  readonly #downloads: string | undefined;

  constructor(page: Page, downloads: string | undefined) {
    this.page = page;
    this.#downloads = downloads;
  }

  get select() {
    return this.page.getByRole('button', { name: 'Select Image' });
  }
  get width() {
    return this.page.getByLabel('Width');
  }
  get height() {
    return this.page.getByLabel('Height');
  }
  get percent() {
    return this.page.getByLabel('Percent');
  }
  get resize() {
    return this.page.getByRole('button', { name: 'Resize Images' });
  }
  get save() {
    return this.page.getByRole('button', { name: 'Save', exact: true });
  }
  get rows() {
    return this.page
      .getByRole('list')
      .filter({ has: this.page.locator('[data-item]') })
      .locator('> li');
  }

  row(name: string) {
    return this.rows.filter({ hasText: name });
  }

  async open(): Promise<void> {
    await this.page.goto('/');
    await expect(this.select).toBeEnabled();
  }

  async add(files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
    await this.page.setInputFiles('input[type=file]', files);
  }

  /** Opens cards of the settings, or closes them. */
  async turn(...cards: string[]): Promise<void> {
    const settings = this.page.getByRole('region', { name: 'Settings' });
    for (const card of cards) await settings.getByText(card, { exact: true }).click();
  }

  /** Presses Resize Images and waits for the end. */
  async run(): Promise<void> {
    await this.resize.click();
    await expect(this.save).toBeEnabled({ timeout: 30_000 });
  }

  /**
   * Presses Resize Images, and Cancel as soon as the row is done. The second press comes from inside the page, at the
   * place where the button is seen: a driver's own comes up to 1.5 s later (Firefox), and a quick run is over by then.
   * Answers the window's title at that moment.
   */
  async cancelOnce(row: string): Promise<string> {
    const places = { row: await this.row(row).elementHandle(), button: await this.resize.elementHandle() };
    const pressed = this.page.evaluate(
      ({ row, button }) =>
        new Promise<string>((resolve) => {
          const watch = new MutationObserver(() => {
            const isTime = row?.textContent.includes('Done') && document.title.startsWith('(');
            if (!isTime || button?.textContent !== 'Cancel') return;
            watch.disconnect();
            resolve(document.title);
            const { x = 0, y = 0, width = 0, height = 0 } = button?.getBoundingClientRect() ?? {};
            (document.elementFromPoint(x + width / 2, y + height / 2) as HTMLElement | null)?.click();
          });
          watch.observe(document, { subtree: true, childList: true, characterData: true });
        }),
      places,
    );
    await this.resize.click();
    return await pressed;
  }

  async saved(trigger: () => Promise<unknown> = () => this.save.click()): Promise<Saved> {
    if (this.#downloads !== undefined) {
      const { name, path: file } = await newFileIn(this.#downloads, trigger);
      // Firefox stores under a name of its own; the page told the right one.
      const toast = await this.page
        .getByRole('status')
        .filter({ hasText: /^Saved / })
        .textContent();
      return { name: /^Saved (.*) \(/.exec(toast ?? '')?.[1] ?? name, bytes: fs.readFileSync(file) };
    }
    const [download] = await Promise.all([this.page.waitForEvent('download'), trigger()]);
    return { name: download.suggestedFilename(), bytes: fs.readFileSync(await download.path()) };
  }
}

export const test = base.extend<{ resizer: Resizer; folder: string }>({
  resizer: async ({ page, browserName }, use, testInfo) => {
    // Firefox reports no download of a blob: URL; the file arrives in its folder.
    const downloads = browserName === 'firefox' ? testInfo.project.use.launchOptions?.downloadsPath : undefined;
    const resizer = new Resizer(page, downloads);
    await resizer.open();
    await use(resizer);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the braces
  folder: async ({}, use, testInfo) => {
    const folder = testInfo.outputPath('pictures');
    fs.mkdirSync(folder, { recursive: true });
    await use(folder);
  },
});

export { expect };

/** What a file says of itself, read by libvips. */
export async function headerOf(bytes: Buffer): Promise<{ format: string; width: number; height: number }> {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}

/** The files of an archive, by its central directory (APPNOTE 4.3.12), as unpackers read it. */
export function unzip(archive: Buffer): { name: string; bytes: Buffer }[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = [];
  let at = archive.readUInt32LE(end + 16);
  for (let i = 0; i < archive.readUInt16LE(end + 10); i += 1) {
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(start, start + archive.readUInt32LE(at + 24));
    files.push({ name: archive.toString('utf8', at + 46, at + 46 + nameLength), bytes });
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
