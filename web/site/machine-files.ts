// The files for search engines and for the installation as an app.

import { FORMATS, READABLE_FORMATS } from '../domain/formats.ts';
import { origin, site } from './config.ts';
import { LOCALE_NAMES, LOCALES, type Locale } from './locales.ts';
import { ROUTES } from './routes.ts';
import { hrefOf } from './runtime/paths.ts';
import { SHARE_PATH } from './service-worker-protocol.ts';

export function manifestPath(locale: Locale): string {
  return `/manifest/${locale}.webmanifest`;
}

function icon(name: string, sizes: string, purpose: 'any' | 'maskable') {
  const type = name.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
  return { src: hrefOf(`/icons/${name}`), sizes, type, purpose };
}

function acceptedTypes(): Record<string, string[]> {
  const types = READABLE_FORMATS.map((format) => FORMATS[format]);
  return Object.fromEntries(
    types.map(({ mime, extensions }) => [mime, extensions.map((extension) => `.${extension}`)]),
  );
}

export function manifestOf(locale: Locale, description: string): object {
  const accept = acceptedTypes();
  return {
    id: hrefOf('/'),
    name: site.name[locale],
    short_name: site.name[locale],
    description,
    lang: locale,
    dir: LOCALES[locale].direction,
    start_url: hrefOf(LOCALES[locale].path),
    scope: hrefOf('/'),
    display: 'standalone',
    background_color: '#f5f6f8',
    theme_color: '#f5f6f8',
    categories: ['photo', 'utilities'],
    icons: [
      icon('icon.svg', 'any', 'any'),
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('icon-maskable-512.png', '512x512', 'maskable'),
    ],
    share_target: {
      action: hrefOf(SHARE_PATH),
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'images', accept: Object.keys(accept) }] },
    },
    file_handlers: [{ action: hrefOf(LOCALES[locale].path), accept }],
    launch_handler: { client_mode: 'focus-existing' },
  };
}

export function sitemap(): string {
  const homes = [...LOCALE_NAMES.map((name) => [name, LOCALES[name].path] as const), ['x-default', '/'] as const];
  const alternates = homes.map(
    ([language, path]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${origin}${hrefOf(path)}"/>`,
  );
  const urls = ROUTES.filter(({ listed }) => listed).map(({ path, page }) =>
    ['<url>', `<loc>${origin}${hrefOf(path)}</loc>`, ...(page === 'home' ? alternates : []), '</url>'].join('\n'),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

export function robots(): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${origin}${hrefOf('/sitemap.xml')}\n`;
}
