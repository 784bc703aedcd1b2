// Drawings in the page: SVG files to pixels, and to SVG files of another size.

import { gzipSync } from 'node:zlib';
import { also, expect, headerOf, test, unzip } from './resizer.ts';

const MARKUP = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><path d="M0 0H600V400" fill="#c33"/></svg>`;
const logo = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(MARKUP) };

test.describe('with the service worker', () => {
  test.use({ baseURL: process.env['OFFLINE_SITE_URL'] ?? '' });

  test('an SVG is saved as SVG and as PNG, also offline after the first use', async ({ resizer, context }) => {
    const { page } = resizer;
    await expect(page.locator('footer')).toContainText('except SVG');
    await resizer.add(logo);
    await expect(resizer.row('logo.svg')).toContainText('600');
    await resizer.width.fill('300');
    await resizer.run();
    const drawing = await resizer.saved();
    expect(drawing.name).toBe('logo-300x200.svg');
    expect(drawing.bytes.toString()).toContain('viewBox="0 0 600 400"');

    await expect(page.locator('footer')).not.toContainText('except SVG');
    await context.setOffline(true);
    await resizer.open();
    await resizer.add(logo);
    await resizer.width.fill('300');
    await resizer.toggleCards('Format');
    await page.getByLabel('Save as').selectOption('png');
    await resizer.run();
    const { name, bytes } = await resizer.saved();
    expect(name).toBe('logo-300x200.png');
    expect(await headerOf(bytes)).toEqual({ format: 'png', width: 300, height: 200 });
  });
});

test(
  'in an archive, compressed drawings have the name of what they contain',
  also({ firefox: 'downloads of drawings' }),
  async ({ resizer }) => {
    const compressed = gzipSync(MARKUP);
    await resizer.add([
      { name: 'logo.svgz', mimeType: 'image/svg+xml', buffer: compressed },
      { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: logo.buffer },
      { name: 'small.svgz', mimeType: 'image/svg+xml', buffer: gzipSync(MARKUP.replace('"600"', '"300"')) },
    ]);
    await resizer.width.fill('300');
    await resizer.run();
    const { name, bytes } = await resizer.saved();
    expect(name).toBe('resized-images.zip');
    const files = unzip(bytes);
    expect(files.map((file) => file.name)).toEqual(['logo-300x200.svg', 'logo-300x200 (2).svg', 'small.svgz']);
    for (const file of files.slice(0, 2)) expect(file.bytes.toString()).toContain('width="300" height="200"');
    expect(files[2]?.bytes.subarray(0, 2)).toEqual(compressed.subarray(0, 2));
  },
);

test('drawings tell their assumed size, what was left out, and the line of a mistake', async ({ resizer }) => {
  const svg = (name: string, text: string) => ({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(text) });
  const root = '<svg xmlns="http://www.w3.org/2000/svg"';
  await resizer.add([
    svg('sizeless.svg', `${root}><path d="M0 0H600V400"/></svg>`),
    svg('script.svg', `${root} width="60" height="40"><script>alert(1)</script><path d="M0 0H60V40"/></svg>`),
    svg('broken.svg', `${root}>\n<g>\n<path d="M0 0"/>\n</svg>`),
  ]);
  await expect(resizer.row('sizeless.svg')).toContainText('This SVG has no size of its own. 300 × 150 was assumed.');
  await expect(resizer.row('script.svg')).toContainText('Parts of this SVG were left out');
  await expect(resizer.row('broken.svg')).toContainText(
    'This SVG cannot be read. Line 4: an element is not closed, or is closed in the wrong place.',
  );
});
