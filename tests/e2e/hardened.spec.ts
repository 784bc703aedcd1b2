// Hardened browsers (Tor Browser, LibreWolf, Firefox with fingerprinting resistance) put noise into what a page reads from
// a canvas. Results are not affected, because no canvas is involved.

import path from 'node:path';
import sharp from 'sharp';
import { also, expect, headerOf, test } from './resizer.ts';

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, firefoxUserPrefs: { 'privacy.resistFingerprinting': true } }),
});

const COLOR = { r: 200, g: 100, b: 50 };

test(
  'pixels are exact while the browser resists fingerprinting',
  also({ firefox: 'only Firefox has this setting' }),
  async ({ resizer, folder, page, browserName }) => {
    test.info().skip(browserName !== 'firefox', 'only Firefox has this setting');
    const canvas = await page.evaluate(() => {
      const context = new OffscreenCanvas(16, 16).getContext('2d');
      if (context === null) return [];
      context.fillStyle = 'rgb(200 100 50)';
      context.fillRect(0, 0, 16, 16);
      return [...context.getImageData(0, 0, 16, 16).data];
    });
    const exact = Array.from({ length: 256 }, () => [COLOR.r, COLOR.g, COLOR.b, 255]).flat();
    expect(canvas, 'the browser changes what is read from a canvas').not.toEqual(exact);

    const file = path.join(folder, 'flat.png');
    await sharp({ create: { width: 400, height: 300, channels: 3, background: COLOR } })
      .png()
      .toFile(file);
    await resizer.add(file);
    await resizer.width.fill('100');
    await resizer.run();
    const { bytes } = await resizer.saved();
    expect(await headerOf(bytes)).toEqual({ format: 'png', width: 100, height: 75 });
    const pixels = await sharp(bytes).removeAlpha().raw().toBuffer();
    expect([...new Set(pixels.toString('hex').match(/.{6}/g))]).toEqual(['c86432']);
  },
);
