// The main path in every engine: drop, paste, an unusable file, a size in the sheet of a narrow window, a run, and saving.
import fs from 'node:fs';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { type Fixture, inEngines, picture } from './in-engines.ts';
import { open } from './site.ts';

/** Gives the page a file as a drop or a paste does. */
function give({ driver }: Fixture, way: 'drop' | 'paste', name: string, bytes: Buffer): Promise<unknown> {
  const act = (how: string, fileName: string, base64: string) => {
    const binary = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([binary], fileName));
    const [type, key] = how === 'drop' ? ['drop', 'dataTransfer'] : ['paste', 'clipboardData'];
    const event = new Event(type ?? '', { bubbles: true, cancelable: true });
    Object.defineProperty(event, key ?? '', { value: data });
    document.body.dispatchEvent(event);
  };
  return driver.eval(act, way, name, bytes.toString('base64'));
}

/** Clicks the button with this text as soon as it is enabled. */
function press({ driver }: Fixture, text: string): Promise<unknown> {
  const click = (label: string) => {
    const buttons = [...document.querySelectorAll('button')];
    const button = buttons.find(({ textContent }) => textContent?.trim() === label);
    const enabled = button !== undefined && !button.disabled && button.ariaDisabled !== 'true';
    if (enabled) button.click();
    return enabled;
  };
  return driver.waitFor(click, [text]);
}

/** Types into the field that has the focus, after its text was selected. */
async function type({ driver }: Fixture, text: string): Promise<void> {
  for (const digit of text) await driver.press(digit);
}

inEngines('files of a drop and a paste, workers, inert pages and downloads', (fixture) => {
  afterEach(() => fixture.driver.resize(1280, 800));

  test('drop and paste, an unusable file, another width in the sheet, a run, a saved image', async () => {
    const { driver, site } = fixture;
    await driver.resize(600, 800);
    await open(driver, `${site.url}/en/`);
    await give(fixture, 'drop', 'dropped.png', fs.readFileSync(picture()));
    await driver.waitForText('main', '600 × 400');
    await give(fixture, 'paste', 'notes.txt', Buffer.from('no image'));
    await driver.waitForText('main', 'Not an image.');

    await driver.eval(() => document.querySelector<HTMLElement>('[data-summary]')?.click());
    await driver.waitFor(() => document.activeElement instanceof HTMLInputElement, []);
    const inert = () => document.querySelector('[data-item]')?.closest('[inert]') !== null;
    expect(await driver.eval(inert)).toBe(true);
    await type(fixture, '60');
    await driver.waitForText('main', '60 × 40');
    await press(fixture, 'Resize Images');
    await driver.waitForText('main', '1 of 2 images resized. 1 failed.', { timeoutMs: 30_000 });
    expect(await driver.eval(inert)).toBe(false);
    const { path: saved } = await driver.download(() => press(fixture, 'Save'));
    expect(await sharp(saved).metadata()).toMatchObject({ format: 'png', width: 60, height: 40 });
  });
});
