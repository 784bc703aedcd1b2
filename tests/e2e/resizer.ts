// The fixtures of the scenarios: generated pictures, the page object of the resizer, and readers for the results.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test as base, expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import { newFileIn } from '../lib/downloads.mjs';

const sharedDir = process.env['SHARED_DIR'] ?? path.resolve(import.meta.dirname, '../../../shared');

/** Returns a real photograph, or null (with a message on the terminal) if it is missing. */
export function photograph(name: string): string | null {
  const file = path.join(sharedDir, 'photos', name);
  if (fs.existsSync(file)) return file;
  process.stderr.write(`!! ${file} is missing: the scenario with this photograph is skipped\n`);
  return null;
}

/** The projects besides Chromium in which a scenario runs, each with the reason why its result could differ. */
interface Elsewhere {
  readonly firefox?: string;
  readonly phone?: string;
  /** Whether `npm run test:quick` includes the scenario. */
  readonly quick?: true;
}

/** Returns the tags by which playwright.config.ts selects scenarios. */
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
  readonly format?: 'jpeg' | 'png' | 'tiff';
}

/** Random samples, which are repeated in large pictures: noise for each pixel takes longer than its compression. */
const noise = randomBytes(1_000_003).map((byte) => 56 + byte / 2);

/** Writes a picture of random noise. */
export async function makePicture(file: string, { width, height, format = 'jpeg' }: Picture): Promise<string> {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const raw = { width, height, channels: 3 } as const;
  await sharp(Buffer.alloc(width * height * 3, noise), { raw })
    .toFormat(format)
    .toFile(file);
  return file;
}

export interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The page object of the resizer. It finds the controls by their accessible names. */
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
    return this.#setting('Width');
  }
  get height() {
    return this.#setting('Height');
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

  /** Returns a field that is not in the preview, whose fields have similar names and stay while it closes. */
  #setting(name: string) {
    return this.page.getByLabel(name).and(this.page.locator(':not(dialog *)'));
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

  /** Opens or closes cards of the settings. */
  async toggleCards(...cards: string[]): Promise<void> {
    for (const card of cards) {
      const summary = this.page.locator('summary').filter({ has: this.page.getByText(card, { exact: true }) });
      const isOpen = () => summary.evaluate(({ parentElement }) => parentElement?.hasAttribute('open'));
      const before = await isOpen();
      // A click is lost if the page moves under it because a part of it has just loaded.
      await expect(async () => {
        await summary.click({ timeout: 5000 });
        expect(await isOpen()).toBe(!before);
      }).toPass();
    }
  }

  /** Clicks Resize Images and waits for the end of the run. */
  async run(): Promise<void> {
    await this.resize.click();
    await expect(async () => {
      try {
        await expect(this.save).toBeEnabled({ timeout: 10_000 });
      } catch (error) {
        // Firefox's driver scrolls to a button in the bar, although it is visible, and the click can miss it meanwhile.
        if ((await this.resize.count()) > 0 && (await this.resize.isEnabled())) await this.resize.click();
        throw error;
      }
    }).toPass({ timeout: 40_000 });
  }

  /**
   * Clicks Resize Images, and Cancel as soon as the row contains the text. Code in the page makes the second click at the
   * position of the button, because a click by the driver comes up to 1.5 s later (Firefox), when a fast run has ended.
   * Returns the title of the page at that moment.
   */
  async cancelOnce(row: string, text: string): Promise<string> {
    const elements = { text, row: await this.row(row).elementHandle(), button: await this.resize.elementHandle() };
    const clicked = this.page.evaluate(
      ({ text, row, button }) =>
        new Promise<string>((resolve) => {
          let runningSince = Number.POSITIVE_INFINITY;
          const watch = new MutationObserver(() => {
            const isTime = row?.textContent.includes(text) && document.title.startsWith('(');
            if (button?.textContent !== 'Cancel') return;
            runningSince = Math.min(runningSince, performance.now());
            // Until then, the button takes the second click for a double click.
            if (!isTime || performance.now() - runningSince < 600) return;
            watch.disconnect();
            resolve(document.title);
            const { x = 0, y = 0, width = 0, height = 0 } = button?.getBoundingClientRect() ?? {};
            (document.elementFromPoint(x + width / 2, y + height / 2) as HTMLElement | null)?.click();
          });
          watch.observe(document, { subtree: true, childList: true, characterData: true });
        }),
      elements,
    );
    await this.resize.click();
    const title = await clicked;
    // Until then, the button takes the next click for the second one of a double click.
    await this.page.waitForTimeout(600);
    return title;
  }

  async saved(trigger: () => Promise<unknown> = () => this.save.click()): Promise<Saved> {
    if (this.#downloads !== undefined) {
      const { name, path: file } = await newFileIn(this.#downloads, trigger);
      // Firefox stores the file under another name; the message of the page contains the right one.
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
    // Firefox reports no download of a blob: URL, but the file appears in the folder.
    const downloads = browserName === 'firefox' ? testInfo.project.use.launchOptions?.downloadsPath : undefined;
    const resizer = new Resizer(page, downloads);
    await resizer.open();
    await use(resizer);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern here
  folder: async ({}, use, testInfo) => {
    const folder = testInfo.outputPath('pictures');
    fs.mkdirSync(folder, { recursive: true });
    await use(folder);
  },
});

export { expect };

/** Returns format and size of a file, read by libvips. */
export async function headerOf(bytes: Buffer): Promise<{ format: string; width: number; height: number }> {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}

/** Returns the files of an archive, found through its central directory (APPNOTE 4.3.12), as unpackers do. */
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
