// @ts-check
// web/, content/ and locales/ → dist/site: every page as HTML that is complete without scripts, the data and scripts
// for hydration, the service worker, and `_headers` for the host. dist/hosting has the same headers for other hosts.
//   node scripts/build-site.mjs [folder config.ts]   builds another configuration into another folder
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle, mergeConfig } from 'vite';
import { buildIfStale, hashOf } from './fingerprint.mjs';
import { formatApache, formatHeaders, formatNginx, headerRules, pagePolicy } from './headers.mjs';
import { isMain } from './main.mjs';
import { generatedFolders, moduleOf, wasmModules } from './modules.mjs';
import { allNotices, collectPackages, noticeInputs, noticesFile, noticesText } from './notices.mjs';
import { reactDomAsModule, withConfig, withoutHevc } from './plugins.mjs';
import { siteData } from './site-data.mjs';
import { factsOf, missingFacts } from './site-facts.mjs';
import { collectStyles } from './styles.mjs';
import { root } from './toolchain.mjs';

/** @typedef {import('../web/site/renderer.ts').Renderer} Renderer */
/** @typedef {import('../web/site/renderer.ts').PageAssets} Assets */
/** @typedef {import('./site-data.mjs').SitePage} SitePage */
/** @typedef {Record<string, { file: string, css?: string[], imports?: string[], isEntry?: boolean }>} Manifest */
/**
 * @typedef {object} Client
 * @property {Manifest} manifest
 * @property {string} sheet the style sheet of the first load
 * @property {Set<string>} packages the folders of the npm packages in the scripts
 */
/**
 * @typedef {object} Target
 * @property {string} outDir the folder of the site
 * @property {string} hostingDir the folder of the files for other hosts
 * @property {string} [config] the module that replaces web/site/config.ts
 */

/** @type {Target} */
const usual = { outDir: path.join(root, 'dist/site'), hostingDir: path.join(root, 'dist/hosting') };

/** @param {Target} target @param {string} name relative to the site @param {string} text */
function write({ outDir }, name, text) {
  const file = path.join(outDir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text);

/** @param {Target} target @param {import('vite').InlineConfig} own */
function viteConfig({ config }, own) {
  /** @type {import('vite').InlineConfig} */
  const shared = {
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [withConfig(config)],
    // The build compiles the messages, so the parser of react-intl, which would add 6 kB, is left out.
    resolve: { alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' } },
  };
  return mergeConfig(shared, own);
}

/** Builds the site for Node: pages as functions. @param {Target} target @returns {Promise<Renderer>} */
async function buildRenderer(target) {
  const renderDir = path.join(root, 'node_modules/.cache/render', digest(target.outDir).digest('hex').slice(0, 8));
  await bundle(
    viteConfig(target, {
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
  // Node loads a module once per URL, so a second build in one process needs another URL.
  const address = pathToFileURL(path.join(renderDir, 'render.mjs'));
  address.search = String(Date.now());
  return (await import(address.href)).renderer;
}

/**
 * Chunks of modules that several chunks use: those of every page, those of the home page, and those of all chunks that
 * are loaded with the first image. The bundler would make a dozen small chunks of them, which compress worse.
 */
const sharedChunks = [
  { name: 'react-dom', modules: ['/node_modules/react-dom/', '/node_modules/scheduler/'] },
  {
    name: 'base',
    modules: [
      // Vite's helper for `import()`: in the entry it would make a circle of chunks.
      'vite/preload-helper',
      ...['/node_modules/react/', '/node_modules/react-intl/', '/node_modules/@formatjs/'],
      ...['/node_modules/intl-messageformat/', '/web/i18n/', '/web/domain/bytes.'],
      ...['/web/app/ui/', '/web/app/use-signal.', '/web/app/state/signal.'],
    ],
  },
  {
    name: 'shared',
    modules: [
      ...['device-memory', 'form', 'formats', 'job', 'picture', 'recipe', 'settings', 'turns'].map(
        (name) => `/web/domain/${name}.`,
      ),
      ...[
        '/web/app/session-context.',
        '/web/app/state/item.',
        '/web/engine/shared/failure',
        '/web/engine/page/device.',
      ],
    ],
  },
  {
    name: 'work',
    modules: [
      ...['geometry', 'icons', 'jobs', 'keep', 'memory', 'plan'].map((name) => `/web/domain/${name}.`),
      ...['item-plan', 'plans'].map((name) => `/web/app/state/${name}.`),
    ],
  },
].map(({ name, modules }) => ({
  name,
  /** @param {string} id */
  test: (id) => modules.some((part) => id.includes(part)),
}));

/**
 * Builds the site for browsers.
 * @param {Target} target
 * @param {import('../web/site/config.ts').SiteConfig} site
 * @returns {Promise<Client>}
 */
async function buildClient(target, { basePath, heic }) {
  const { outDir } = target;
  /** @type {Set<string>} */
  const packages = new Set();
  /** @type {string[]} */
  const sheets = [];
  await bundle(
    viteConfig(target, {
      base: `${basePath}/`,
      plugins: [
        reactDomAsModule(),
        collectPackages(packages),
        collectStyles(sheets),
        ...(heic === 'device' ? [withoutHevc()] : []),
      ],
      worker: { plugins: () => [collectPackages(packages)] },
      build: {
        outDir,
        manifest: 'manifest.json',
        rolldownOptions: {
          input: path.join(root, 'web/site/client.tsx'),
          output: { codeSplitting: { groups: sharedChunks, includeDependenciesRecursively: false } },
        },
      },
    }),
  );
  const file = path.join(outDir, 'manifest.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.rmSync(file);
  checkCircles(manifest);
  const sheet = sheets.join('').trim();
  if (/<\/style|url\(/i.test(sheet)) throw new Error('the style sheet contains text that cannot be part of a page');
  return { manifest, sheet, packages };
}

/**
 * Throws if chunks import each other in a circle: which of them runs first then depends on the network.
 * @param {Manifest} manifest
 */
function checkCircles(manifest) {
  /** @param {string} key @param {readonly string[]} above */
  const visit = (key, above) => {
    if (above.includes(key)) throw new Error(`chunks import each other: ${[...above, key].join(' → ')}`);
    manifest[key]?.imports?.forEach((next) => void visit(next, [...above, key]));
  };
  Object.keys(manifest).forEach((key) => void visit(key, []));
}

/** Builds one file without imports. Its name has no hash, because browsers check the same URL for updates. */
async function buildServiceWorker(/** @type {Target} */ target, /** @type {object} */ described) {
  await bundle(
    viteConfig(target, {
      publicDir: false,
      define: { __BUILD__: JSON.stringify(described) },
      build: {
        outDir: target.outDir,
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
 * Returns the files of a page's HTML: the entry, the page's own chunk and all their imports.
 * @param {Client} client
 * @param {string} page
 * @param {(path: string) => string} hrefOf
 * @returns {Assets}
 */
function assetsOf({ manifest, sheet }, page, hrefOf) {
  /** @type {Set<string>} */
  const keys = new Set();
  /** @param {string} key */
  const add = (key) => {
    if (keys.has(key)) return;
    manifest[key]?.imports?.forEach(add);
    keys.add(key);
  };
  add('site/client.tsx');
  add(`site/pages/${page}.tsx`);
  const files = [...keys].map((key) => {
    const found = manifest[key];
    if (found === undefined) throw new Error(`the bundler wrote nothing for ${key}`);
    return found.file;
  });
  return { scripts: files.map((file) => hrefOf(`/${file}`)), sheet };
}

/** @param {string} text @returns {string} the source expression of an inline script or style sheet for the policy */
function inlineHash(text) {
  return `'sha256-${digest(text).digest('base64')}'`;
}

/** @param {string} pagePath `/en/` → en/index.html @returns {string} */
function fileOf(pagePath) {
  return pagePath.endsWith('/') ? `${pagePath.slice(1)}index.html` : pagePath.slice(1);
}

/**
 * @param {Renderer} renderer
 * @param {Client} client
 * @param {SitePage[]} pages
 * @param {string} policy for the <meta> tag
 * @returns {Promise<{ file: string, html: (build: string) => string }[]>}
 */
function renderPages(renderer, client, pages, policy) {
  const year = new Date().getFullYear();
  return Promise.all(
    pages.map(async ({ route, data, queriesIn }) => {
      const locale = route.locale ?? renderer.defaultLocale;
      const assets = assetsOf(client, route.page, renderer.hrefOf);
      const html = await renderer.renderPage({ data, locale, queries: queriesIn(locale), year, assets, policy });
      return { file: fileOf(route.path), html };
    }),
  );
}

/** @param {Target} target @param {Renderer} renderer @param {SitePage[]} pages */
function writeMachineFiles(target, { locales, manifestIn, manifestPath, robots, sitemap }, pages) {
  for (const locale of locales) {
    const { messages } = pages.find(({ route }) => route.locale === locale)?.queriesIn(locale) ?? {};
    if (messages === undefined) throw new Error(`no page in ${locale}`);
    write(target, manifestPath(locale).slice(1), JSON.stringify(manifestIn(locale, messages)));
  }
  write(target, 'robots.txt', robots());
  write(target, 'sitemap.xml', sitemap());
}

/** @param {Target} target @param {Renderer} renderer @param {import('./site-data.mjs').SiteData} data */
function writeData(target, { pageDataUrl, queryUrl, site }, { pages, shared }) {
  /** @param {string} url */
  const file = (url) => url.slice(site.basePath.length + 1);
  for (const { data } of pages) write(target, file(pageDataUrl(data.path)), JSON.stringify(data));
  for (const [hash, json] of shared) write(target, file(queryUrl(hash)), json);
}

/** @param {string} outDir @returns {string[]} every file of the site, relative to it, with forward slashes */
function filesIn(outDir) {
  const all = fs.readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  return all
    .filter((file) => fs.statSync(path.join(outDir, file)).isFile())
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

/** The files that are not needed offline: for hosts, search engines, other sites, and copies of the folder. */
const onlineOnly = new Set(['_headers', 'robots.txt', 'sitemap.xml', 'icons/card.png', 'sw.js', noticesFile]);

/** @param {string} file @param {string} basePath */
function urlOf(file, basePath) {
  return `${basePath}/${file.replace(/(^|\/)index\.html$/, '$1')}`;
}

/** @param {Target} target @param {Renderer} renderer @param {string} id */
async function writeServiceWorker(target, { site: { basePath, serviceWorker }, usesOf }, id) {
  if (!serviceWorker) return;
  const needed = filesIn(target.outDir).filter((file) => !onlineOnly.has(file));
  /** @param {string} file */
  const listed = (file) => [urlOf(file, basePath), fs.statSync(path.join(target.outDir, file)).size];
  const isLate = (/** @type {string} */ file) => (moduleOf(file)?.stored ?? 'first-visit') !== 'first-visit';
  const modules = wasmModules
    .filter(({ stored }) => stored !== 'first-visit')
    .map((module) => {
      const { name, stored } = module;
      return {
        name,
        stored,
        uses: usesOf(name),
        files: needed.filter((file) => moduleOf(file) === module).map(listed),
      };
    });
  const files = needed.filter((file) => !isLate(file)).map(listed);
  await buildServiceWorker(target, { id, base: basePath, files, modules });
}

/** @param {Target} target @param {Renderer} renderer @param {import('./headers.mjs').Inline} inline */
function writeHeaders(target, { routes, site }, inline) {
  const { hostingDir } = target;
  const rules = headerRules({
    inline,
    pages: routes.map(({ path: pagePath }) => pagePath),
    basePath: site.basePath,
  });
  write(target, '_headers', formatHeaders(rules));
  fs.mkdirSync(hostingDir, { recursive: true });
  fs.writeFileSync(path.join(hostingDir, 'nginx.conf'), formatNginx(rules));
  fs.writeFileSync(path.join(hostingDir, 'apache.conf'), formatApache(rules));
}

/** @param {Target} target */
async function build(target) {
  const renderer = await buildRenderer(target);
  const { appDataUrl, inlineScripts, localesOf, routes, site } = renderer;
  const client = await buildClient(target, site);
  const inline = { scripts: inlineScripts.map(inlineHash), styles: [inlineHash(client.sheet)] };
  const notices = allNotices(client.packages);
  const data = siteData({ routes, localesOf, facts: factsOf(site, pagePolicy(inline)), notices });
  const documents = await renderPages(renderer, client, data.pages, pagePolicy(inline, 'meta'));

  writeData(target, renderer, data);
  writeMachineFiles(target, renderer, data.pages);
  write(target, noticesFile, noticesText(notices));
  // The id of the build is a hash of all contents that a visitor can receive. No script contains it, because it would
  // change its own hash.
  const content = [
    hashOf([path.relative(root, target.outDir)], { generated: true }),
    ...data.pages.map((page) => JSON.stringify(page.data)),
    ...documents.map(({ html }) => html('')),
  ];
  const id = digest(content.join('\n')).digest('hex').slice(0, 16);
  for (const { file, html } of documents) write(target, file, html(id));
  write(target, appDataUrl().slice(site.basePath.length + 1), JSON.stringify({ build: id }));
  await writeServiceWorker(target, renderer, id);
  writeHeaders(target, renderer, inline);
  writeWarning(target, missingFacts(site));
}

/**
 * Stores the warning in a file, so that a build without changes repeats it.
 * @param {Target} target
 * @param {string | null} text
 */
function writeWarning({ hostingDir }, text) {
  const file = path.join(hostingDir, 'WARNING.txt');
  if (text === null) fs.rmSync(file, { force: true });
  else fs.writeFileSync(file, text);
}

/** @param {Target} target */
function showWarning({ hostingDir }) {
  const file = path.join(hostingDir, 'WARNING.txt');
  if (fs.existsSync(file)) console.error(fs.readFileSync(file, 'utf8'));
}

/** Returns the environment variables that change the site. */
function environment() {
  const names = Object.keys(process.env).filter((name) => /^(SITE|VITE)_|^NODE_ENV$/.test(name));
  return JSON.stringify(names.sort().map((name) => [name, process.env[name]]));
}

/** @returns {Promise<void>} */
export async function buildSite() {
  const outcome = await buildIfStale({
    name: 'site',
    inputs: ['web', 'locales', 'content', 'package.json', 'vite.config.ts', 'scripts', ...noticeInputs],
    outputs: ['dist/site', 'dist/hosting'],
    also: environment() + hashOf(generatedFolders, { generated: true }) + new Date().getFullYear(),
    build: () => build(usual),
  });
  const pages = filesIn(usual.outDir).filter((file) => file.endsWith('.html'));
  console.log(outcome === 'fresh' ? 'dist/site: unchanged' : `dist/site: ${pages.length} pages`);
  showWarning(usual);
}

/**
 * Builds the site of another deployment, for example with a base path.
 * @param {string} folder the folder for `site` and `hosting`
 * @param {string} config
 */
async function buildOtherSite(folder, config) {
  const inFolder = (/** @type {string} */ name) => path.resolve(folder, name);
  await build({ outDir: inFolder('site'), hostingDir: inFolder('hosting'), config: path.resolve(config) });
}

if (isMain(import.meta)) {
  const [folder, config] = process.argv.slice(2);
  if (folder === undefined || config === undefined) await buildSite();
  else await buildOtherSite(folder, config);
}
