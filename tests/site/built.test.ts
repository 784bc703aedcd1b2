// The output of the build as hosts, visitors without JavaScript and search engines read it. The titles begin with the
// features of the site's plan.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, serve } from '../../scripts/serve.mjs';
import { siteDir } from './site.ts';

const read = (name: string) => fs.readFileSync(path.join(siteDir, name), 'utf8');
const homes = { '/': 'en', '/en/': 'en', '/zh-CN/': 'zh-CN', '/zh-TW/': 'zh-TW' } as const;
const documents = [
  'index.html',
  'en/index.html',
  'zh-CN/index.html',
  'zh-TW/index.html',
  'privacy-policy/index.html',
  'licenses/index.html',
  '404.html',
  '500.html',
];
const files = fs
  .readdirSync(siteDir, { recursive: true, encoding: 'utf8' })
  .filter((name) => fs.statSync(path.join(siteDir, name)).isFile());

let server: Server;
beforeAll(async () => {
  server = await serve({ root: siteDir });
});
afterAll(() => server.close());

describe('static generation', () => {
  test.each(Object.entries(homes))('route %s: full HTML in %s without JavaScript', async (url, locale) => {
    const html = await (await fetch(server.url + url)).text();
    expect(html).toContain(`<html lang="${locale}" dir="ltr">`);
    const title = { en: 'Resize Images Online', 'zh-CN': '在线调整图片大小', 'zh-TW': '線上調整圖片大小' }[locale];
    expect(html).toContain(`<title>${title} | resize-images.example</title>`);
    expect(html).toContain(`<h1`);
    expect(html.match(/<details/g)?.length).toBeGreaterThanOrEqual(5);
  });

  test('UI texts are visible on Home in English, exactly', () => {
    const html = read('en/index.html').replace(/<script[\s\S]*?<\/script>/g, '');
    const texts = [
      'Select Image',
      'or drop images here',
      'Paste image using ctrl+v',
      'Width',
      'Height',
      'Percent',
      'Save',
      'Resize Images',
    ];
    for (const text of texts) expect(html).toContain(`>${text}<`);
  });

  test('FAQ: exact questions, and FAQPage structured data', () => {
    const html = read('en/index.html');
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '');
    const names = data.mainEntity.map(({ name }: { name: string }) => name);
    const wanted = [
      'Is this free?',
      'Can I use it on my phone?',
      'Do you keep my images?',
      'How to resize images?',
      'Can I resize images in bulk?',
    ];
    expect(data['@type']).toBe('FAQPage');
    expect(names.slice(0, 5)).toEqual(wanted);
    for (const question of wanted) expect(html).toContain(`<h3>${question}</h3>`);
    for (const { acceptedAnswer } of data.mainEntity) expect(acceptedAnswer.text.length).toBeGreaterThan(10);
  });

  test('blurbs: Easy to use, Privacy, Batch resizing; no contact line without an address', () => {
    const html = read('en/index.html').replace(/<script[\s\S]*?<\/script>/g, '');
    for (const title of ['Easy to use', 'Privacy', 'Batch resizing']) expect(html).toContain(`<h2>${title}</h2>`);
    expect(html).not.toContain('mailto:');
    expect(html).not.toContain('Still have a Question?');
  });

  test.each(['index.html', 'en/index.html', 'zh-CN/index.html', 'zh-TW/index.html'])(
    '%s has hreflang alternates and x-default',
    (name) => {
      const found = [...read(name).matchAll(/hreflang="([^"]+)" href="([^"]+)"/gi)].map(([, language, href]) => [
        language,
        href,
      ]);
      expect(found).toEqual([
        ['en', 'https://resize-images.example/en/'],
        ['zh-CN', 'https://resize-images.example/zh-CN/'],
        ['zh-TW', 'https://resize-images.example/zh-TW/'],
        ['x-default', 'https://resize-images.example/'],
      ]);
    },
  );

  test.each(documents)('%s: og title, description, site name and image', (name) => {
    const html = read(name);
    for (const property of ['og:title', 'og:description', 'og:site_name', 'og:image']) {
      expect(html).toMatch(new RegExp(`<meta property="${property}" content="[^"]{5,}"/>`));
    }
    expect(files).toContain(path.join('icons', 'card.png'));
  });

  test('the privacy policy contains the content security policy of the server, and no placeholder', async () => {
    const sent = (await fetch(server.url)).headers.get('content-security-policy') ?? '';
    // In the text, each directive is on a line of its own.
    const html = read('privacy-policy/index.html').replaceAll('&#x27;', "'").replaceAll(';\n', '; ');
    expect(html).toContain(sent);
    expect(html.replace(/<script[\s\S]*?<\/script>/g, '')).not.toMatch(/\{\w+\}|<!-- (if|unless|end)/);
  });
});

describe('404 page', () => {
  test('the server answers an unknown path with this page and status 404', async () => {
    const response = await fetch(`${server.url}/no/such/page`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('Page not found');
  });

  test('search engines do not index this page and the 500 page', () => {
    for (const name of ['404.html', '500.html']) expect(read(name)).toContain('content="noindex"');
    expect(read('sitemap.xml')).not.toMatch(/404|500/);
  });
});

test('trailing-slash paths: /x leads to /x/, links emit /x/', async () => {
  const response = await fetch(`${server.url}/zh-CN`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([301, '/zh-CN/']);
  for (const name of documents) {
    const links = [...read(name).matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, href]) => href ?? '');
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((href) => !href.endsWith('/'))).toEqual([]);
  }
});

describe('data files', () => {
  test.each(documents)('%s has its page data and the shared data of that', (name) => {
    const url = `/${name}`.replace(/\/index\.html$/, '/');
    const folder = url === '/' ? 'index' : url.replace(/^\/|\/$/g, '');
    const data = JSON.parse(read(`page-data/${folder}/page-data.json`));
    expect(data.path).toBe(url);
    const hashes = Object.values<Record<string, string>>(data.queries).flatMap((queries) => Object.values(queries));
    expect(hashes.length).toBeGreaterThan(0);
    for (const hash of hashes) {
      const json = read(`page-data/sq/d/${hash}.json`);
      expect(createHash('sha256').update(json).digest('hex').startsWith(hash)).toBe(true);
    }
  });

  test('app data contains the build of every page', () => {
    const { build } = JSON.parse(read('page-data/app-data.json'));
    expect(build).toMatch(/^[0-9a-f]{16}$/);
    for (const name of documents) expect(read(name)).toContain(`<meta name="build" content="${build}"/>`);
    for (const name of files.filter((file) => file.startsWith('assets'))) expect(read(name)).not.toContain(build);
  });
});

describe('policy', () => {
  test.each(documents)(
    '%s: the policy has the hashes of two inline scripts and a style sheet; no style attributes; the policy as <meta>',
    async (name) => {
      const html = read(name);
      const scripts = [...html.matchAll(/<script(?![^>]*(?:src=|type="application))[^>]*>([\s\S]*?)<\/script>/g)];
      const sheets = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)];
      const hashes = (found: RegExpExecArray[]) =>
        found.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
      expect([scripts.length, sheets.length]).toEqual([2, 1]);
      const header = (await fetch(server.url)).headers.get('content-security-policy') ?? '';
      expect(header).toContain(`script-src 'self' 'wasm-unsafe-eval' ${hashes(scripts)};`);
      expect(header).toContain(`style-src ${hashes(sheets)};`);
      expect(html.replace(/<svg[\s\S]*?<\/svg>/g, '')).not.toMatch(/ style="/);
      expect(html).toContain(
        `<meta http-equiv="Content-Security-Policy" content="${header.replace(/; frame-ancestors 'none'/, '').replaceAll("'", '&#x27;')}"/>`,
      );
    },
  );

  test('every response has a policy; the policy of the worker forbids every request', async () => {
    const worker = files.find((name) => /assets.worker/.test(name)) ?? '';
    for (const url of ['/', '/lost', '/sw.js', '/page-data/app-data.json', `/${worker}`]) {
      expect((await fetch(server.url + url)).headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect((await fetch(`${server.url}/${worker}`)).headers.get('content-security-policy')).toContain(
      "connect-src 'none'",
    );
  });

  test('the files for nginx and Apache contain the same headers', async () => {
    const header = (await fetch(server.url)).headers.get('content-security-policy') ?? '';
    for (const name of ['nginx.conf', 'apache.conf']) {
      const text = fs.readFileSync(path.join(siteDir, '../hosting', name), 'utf8');
      expect(text).toContain(header);
      expect(text).toContain(
        "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'none'; worker-src 'none'",
      );
    }
  });
});

describe('manifest standalone', () => {
  test.each(['en', 'zh-CN', 'zh-TW'])('%s', (locale) => {
    const manifest = JSON.parse(read(`manifest/${locale}.webmanifest`));
    expect(manifest).toMatchObject({
      id: '/',
      display: 'standalone',
      lang: locale,
      start_url: `/${locale}/`,
      scope: '/',
    });
    const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons;
    for (const { src } of icons) expect(files).toContain(src.slice(1).replaceAll('/', path.sep));
    expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
    expect(icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
    expect(manifest.share_target).toMatchObject({ action: '/share/', method: 'POST' });
    expect(Object.keys(manifest.file_handlers[0].accept)).toContain('image/jpeg');
    expect(read(locale === 'en' ? 'index.html' : `${locale}/index.html`)).toContain(`/manifest/${locale}.webmanifest`);
  });

  test('the name is localized', () => {
    const names = ['en', 'zh-CN', 'zh-TW'].map((locale) => JSON.parse(read(`manifest/${locale}.webmanifest`)).name);
    expect(new Set(names).size).toBe(3);
  });
});

test('the service worker stores every file that the site needs offline', () => {
  const worker = read('sw.js');
  const needed = files.map((name) => `/${name.split(path.sep).join('/')}`.replace(/\/index\.html$/, '/'));
  const left = needed.filter(
    (url) => !worker.includes(`"${url}"`) && !worker.includes(`\`${url}\``) && !worker.includes(`'${url}'`),
  );
  expect(left.toSorted()).toEqual([
    '/THIRD-PARTY-NOTICES.txt',
    '/_headers',
    '/icons/card.png',
    '/robots.txt',
    '/sitemap.xml',
    '/sw.js',
  ]);
  expect(needed.some((url) => url.endsWith('.wasm') && !left.includes(url))).toBe(true);
});

test('licences: the page and the text file contain the notices of crates, npm packages and the font', () => {
  const page = read('licenses/index.html').replace(/<script[\s\S]*?<\/script>/g, '');
  const text = read('THIRD-PARTY-NOTICES.txt');
  for (const notices of [page, text]) {
    for (const name of ['png 0.', 'resvg 0.', 'react-dom 19.', 'Noto Sans', 'Rust standard library']) {
      expect(notices).toContain(name);
    }
    expect(notices).toContain('SIL OPEN FONT LICENSE Version 1.1');
    expect(notices).toContain('Copyright (c) Meta Platforms');
  }
  expect(page).toContain('<a href="/privacy-policy/"');
  for (const name of documents) expect(read(name)).toContain('<a href="/licenses/"');
});

test('the sitemap contains every listed page, and robots.txt the sitemap', () => {
  const urls = [...read('sitemap.xml').matchAll(/<loc>https:\/\/resize-images\.example(.*?)<\/loc>/g)].map(
    ([, url]) => url,
  );
  expect(urls).toEqual(['/', '/en/', '/zh-CN/', '/zh-TW/', '/privacy-policy/', '/licenses/']);
  expect(read('robots.txt')).toContain('Sitemap: https://resize-images.example/sitemap.xml');
});

test('no analytics id → no script, no request: no script or style sheet contains an address of another origin', () => {
  for (const name of files.filter((file) => /\.(js|css)$/.test(file))) {
    const found = [...read(name).matchAll(/https?:\/\/[\w.-]+/g)].map(([url]) => url);
    // These are identifiers, not requested addresses: namespaces of SVG and XML, links in React's error messages, and
    // what Emscripten's glue takes for the address of a script that has none.
    const known =
      /^https?:\/\/(www\.w3\.org|react\.dev|formatjs\.(io|github\.io)|github\.com|resize-images\.example|tc39\.es|floating-ui\.com|localhost$)/;
    expect(found.filter((url) => !known.test(url))).toEqual([]);
  }
});

test('the styles of the list come with its script', () => {
  const list = files.find((file) => /assets.list-.*js$/.test(file)) ?? '';
  expect(read(list)).toContain('.row-');
  expect(read('index.html')).not.toMatch(/<style>[^<]*\.row-/);
});

test.each(documents)('%s: no request blocks the first paint of the text', (name) => {
  const html = read(name);
  // A style sheet or script in a file of its own would block it: with Lighthouse's phone settings after 1.6 s instead
  // of 0.9 s.
  expect(html).not.toMatch(/<link[^>]*rel="(stylesheet|(module)?preload)"|<script[^>]* src=/);
  expect(html).toContain('<script data-parts="/assets/');
  // The first frame waits for the whole page, which is before this element, so no partial page is painted.
  expect(html).toContain('<link rel="expect" href="#drawn" blocking="render"/>');
  expect(html).toMatch(/<\/footer>.*<\/div>\n<noscript id="drawn">/s);
});
