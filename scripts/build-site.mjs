// @ts-check
// web/, content/ and locales/ → dist/site: every page as HTML that is whole without a script, the data and scripts that
// bring it to life, the service worker, and `_headers` for the host; dist/hosting has the same headers for other hosts.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle, mergeConfig } from 'vite';
import { freshly, hashOf } from './fingerprint.mjs';
import { formatApache, formatHeaders, formatNginx, headerRules, pagePolicy } from './headers.mjs';
import { isMain } from './main.mjs';
import { siteData } from './site-data.mjs';
import { factsOf } from './site-facts.mjs';
import { root } from './toolchain.mjs';

const outDir = path.join(root, 'dist/site');
const hostingDir = path.join(root, 'dist/hosting');
const renderDir = path.join(root, 'node_modules/.cache/render');

/** @typedef {import('../web/site/renderer.ts').Renderer} Renderer */
/** @typedef {import('../web/site/renderer.ts').Assets} Assets */
/** @typedef {import('./site-data.mjs').SitePage} SitePage */
/** @typedef {Record<string, { file: string, css?: string[], imports?: string[], isEntry?: boolean }>} Manifest */

/** @param {string} name relative to dist/site @param {string} text */
function write(name, text) {
  const file = path.join(outDir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text);

/** @param {import('vite').InlineConfig} own */
function viteConfig(own) {
  /** @type {import('vite').InlineConfig} */
  const shared = {
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'warn',
    // Messages come compiled: react-intl's parser would be 6 kB for nothing.
    resolve: { alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' } },
  };
  return mergeConfig(shared, own);
}

/** The site for Node: pages as functions. @returns {Promise<Renderer>} */
async function buildRenderer() {
  await bundle(
    viteConfig({
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: path.join(root, 'web/site/render.tsx'),
        outDir: renderDir,
        emptyOutDir: true,
        rolldownOptions: { output: { entryFileNames: 'render.mjs' } },
      },
    }),
  );
  // A module is loaded once for each address: a second build in one process needs another.
  const address = pathToFileURL(path.join(renderDir, 'render.mjs'));
  address.search = String(Date.now());
  return (await import(address.href)).renderer;
}

/** The site for browsers. @param {string} basePath @returns {Promise<Manifest>} */
async function buildClient(basePath) {
  await bundle(
    viteConfig({
      base: `${basePath}/`,
      build: {
        outDir,
        manifest: 'manifest.json',
        // One sheet: the home page needs nearly all of it, and a second request could fail on its own.
        cssCodeSplit: false,
        rolldownOptions: { input: path.join(root, 'web/site/client.tsx') },
      },
    }),
  );
  const file = path.join(outDir, 'manifest.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.rmSync(file);
  return manifest;
}

/** One file that imports nothing, named without a hash: browsers look at the same address for a new one. */
async function buildServiceWorker(/** @type {object} */ described) {
  await bundle(
    viteConfig({
      publicDir: false,
      define: { __BUILD__: JSON.stringify(described) },
      build: {
        outDir,
        emptyOutDir: false,
        rolldownOptions: {
          input: path.join(root, 'web/site/service-worker.ts'),
          output: { entryFileNames: 'sw.js', codeSplitting: false },
        },
      },
    }),
  );
}

/**
 * What a page's HTML asks for: the entry, the page's own chunk and all that those import.
 * @param {Manifest} manifest
 * @param {string} page
 * @param {(path: string) => string} hrefOf
 * @returns {Assets}
 */
function assetsOf(manifest, page, hrefOf) {
  /** @type {Set<string>} */
  const keys = new Set();
  /** @param {string} key */
  const add = (key) => {
    if (keys.has(key)) return;
    keys.add(key);
    manifest[key]?.imports?.forEach(add);
  };
  const entry = manifest['site/client.tsx'];
  const style = manifest['style.css'];
  if (entry === undefined || style === undefined) throw new Error('the bundler wrote no entry or no style sheet');
  add('site/client.tsx');
  add(`site/pages/${page}.tsx`);
  const files = [...keys].map((key) => {
    const found = manifest[key];
    if (found === undefined) throw new Error(`the bundler wrote nothing for ${key}`);
    return found.file;
  });
  return {
    entry: hrefOf(`/${entry.file}`),
    preloads: files.filter((file) => file !== entry.file).map((file) => hrefOf(`/${file}`)),
    styles: [hrefOf(`/${style.file}`)],
  };
}

/** @param {string} script @returns {string} how the policy names an inline script */
function scriptHash(script) {
  return `'sha256-${digest(script).digest('base64')}'`;
}

/** @param {string} pagePath `/en/` → en/index.html @returns {string} */
function fileOf(pagePath) {
  return pagePath.endsWith('/') ? `${pagePath.slice(1)}index.html` : pagePath.slice(1);
}

/**
 * @param {Renderer} renderer
 * @param {Manifest} manifest
 * @param {SitePage[]} pages
 * @param {string} policy for the <meta> tag
 * @returns {Promise<{ file: string, html: (build: string) => string }[]>}
 */
function renderPages(renderer, manifest, pages, policy) {
  const year = new Date().getFullYear();
  return Promise.all(
    pages.map(async ({ route, data, queriesIn }) => {
      const locale = route.locale ?? renderer.defaultLocale;
      const assets = assetsOf(manifest, route.page, renderer.hrefOf);
      const html = await renderer.renderPage({ data, locale, queries: queriesIn(locale), year, assets, policy });
      return { file: fileOf(route.path), html };
    }),
  );
}

/** @param {Renderer} renderer @param {SitePage[]} pages */
function writeMachineFiles({ locales, manifestIn, manifestPath, robots, sitemap }, pages) {
  for (const locale of locales) {
    const { messages } = pages.find(({ route }) => route.locale === locale)?.queriesIn(locale) ?? {};
    if (messages === undefined) throw new Error(`no page in ${locale}`);
    write(manifestPath(locale).slice(1), JSON.stringify(manifestIn(locale, messages)));
  }
  write('robots.txt', robots());
  write('sitemap.xml', sitemap());
}

/** @param {Renderer} renderer @param {import('./site-data.mjs').SiteData} data */
function writeData({ pageDataUrl, queryUrl, site }, { pages, shared }) {
  /** @param {string} url */
  const file = (url) => url.slice(site.basePath.length + 1);
  for (const { data } of pages) write(file(pageDataUrl(data.path)), JSON.stringify(data));
  for (const [hash, json] of shared) write(file(queryUrl(hash)), json);
}

/** @returns {string[]} every file of the site, relative to it, with forward slashes */
function files() {
  const all = fs.readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  return all
    .filter((file) => fs.statSync(path.join(outDir, file)).isFile())
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

/** What working offline does not need: for hosts, search engines and other sites. */
const onlineOnly = new Set(['_headers', 'robots.txt', 'sitemap.xml', 'icons/card.png', 'sw.js']);

/** @param {string} file @param {string} basePath */
function urlOf(file, basePath) {
  return `${basePath}/${file.replace(/(^|\/)index\.html$/, '$1')}`;
}

/** @param {Renderer['site']} site @param {string} id */
async function writeServiceWorker({ basePath, serviceWorker }, id) {
  if (!serviceWorker) return;
  const needed = files().filter((file) => !onlineOnly.has(file));
  const listed = needed.map((file) => [urlOf(file, basePath), fs.statSync(path.join(outDir, file)).size]);
  await buildServiceWorker({ id, base: basePath, files: listed });
}

/** @param {Renderer} renderer */
function writeHeaders({ bootScript, routes, site }) {
  const rules = headerRules({
    scriptHashes: [scriptHash(bootScript)],
    pages: routes.map(({ path: pagePath }) => pagePath),
    basePath: site.basePath,
  });
  write('_headers', formatHeaders(rules));
  fs.mkdirSync(hostingDir, { recursive: true });
  fs.writeFileSync(path.join(hostingDir, 'nginx.conf'), formatNginx(rules));
  fs.writeFileSync(path.join(hostingDir, 'apache.conf'), formatApache(rules));
}

async function build() {
  const renderer = await buildRenderer();
  const { appDataUrl, bootScript, localesOf, routes, site } = renderer;
  const manifest = await buildClient(site.basePath);
  const hashes = [scriptHash(bootScript)];
  const data = siteData({ routes, localesOf, facts: factsOf(site, pagePolicy(hashes)) });
  const documents = await renderPages(renderer, manifest, data.pages, pagePolicy(hashes, 'meta'));

  writeData(renderer, data);
  writeMachineFiles(renderer, data.pages);
  // The build's name follows from all that a reader can get. It stands in no script: it would change its own hash.
  const content = [
    hashOf(['dist/site'], true),
    ...data.pages.map((page) => JSON.stringify(page.data)),
    ...documents.map(({ html }) => html('')),
  ];
  const id = digest(content.join('\n')).digest('hex').slice(0, 16);
  for (const { file, html } of documents) write(file, html(id));
  write(appDataUrl().slice(site.basePath.length + 1), JSON.stringify({ build: id }));
  await writeServiceWorker(site, id);
  writeHeaders(renderer);
}

/** What the site takes from the environment, so that another value is another site. */
function environment() {
  const names = Object.keys(process.env).filter((name) => /^(SITE|VITE)_|^NODE_ENV$/.test(name));
  return JSON.stringify(names.sort().map((name) => [name, process.env[name]]));
}

/** @returns {Promise<void>} */
export async function buildSite() {
  const outcome = await freshly({
    name: 'site',
    inputs: ['web', 'locales', 'content', 'package.json', 'package-lock.json', 'vite.config.ts', 'scripts'],
    outputs: ['dist/site', 'dist/hosting'],
    also: environment() + hashOf(['web/engine/core'], true) + new Date().getFullYear(),
    build,
  });
  const pages = files().filter((file) => file.endsWith('.html'));
  console.log(outcome === 'fresh' ? 'dist/site: unchanged' : `dist/site: ${pages.length} pages`);
}

if (isMain(import.meta)) await buildSite();
