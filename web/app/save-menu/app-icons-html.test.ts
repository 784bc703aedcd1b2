import { expect, test } from 'vitest';
import { APP_ICONS } from '../../domain/app-icons.ts';
import { appIconsHtml } from './app-icons-html.ts';

test('the HTML and the manifest name every icon once, with its sizes', () => {
  const html = appIconsHtml();
  const links = [...html.matchAll(/href="\/([^"]+)"/g)].map(([, name]) => name);
  const { icons } = JSON.parse(/<!-- manifest\.webmanifest:\n(.*)\n-->/s.exec(html)?.[1] ?? '') as {
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
  };
  const named = [...links, ...icons.map(({ src }) => src.slice(1))];
  expect(named.sort()).toEqual([...APP_ICONS.map(({ name }) => name), 'manifest.webmanifest'].sort());
  expect(html).toContain('<link rel="icon" href="/favicon.ico" sizes="16x16 32x32 48x48">');
  expect(icons).toContainEqual({
    src: '/icon-maskable-512.png',
    sizes: '512x512',
    type: 'image/png',
    purpose: 'maskable',
  });
});
