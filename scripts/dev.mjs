// @ts-check
// `npm run dev`: the site on Vite's server. It shows changes in web/ at once and changes in content/ or locales/ after
// a reload. Rust is built at the start; `npm run build:wasm` in another terminal updates it. The headers and the
// service worker of a deployment are missing; use `npm start` for these.

import path from 'node:path';
import { createServer } from 'vite';
import { buildWasm } from './build-wasm.mjs';
import { nothingInline, pagePolicy } from './headers.mjs';
import { allNotices } from './notices.mjs';
import { siteData } from './site-data.mjs';
import { factsOf } from './site-facts.mjs';
import { root } from './toolchain.mjs';

/** @typedef {import('../web/site/renderer.ts').Renderer} Renderer */
/** @typedef {import('vite').ViteDevServer} DevServer */

/** @param {DevServer} server @returns {Promise<{ renderer: Renderer, data: import('./site-data.mjs').SiteData }>} */
async function current(server) {
  /** @type {{ renderer: Renderer }} */
  const { renderer } = /** @type {any} */ (await server.ssrLoadModule('/site/render.tsx'));
  const { localesOf, routes, site } = renderer;
  const facts = factsOf(site, pagePolicy(nothingInline));
  return { renderer, data: siteData({ routes, localesOf, facts, notices }) };
}

/** @param {DevServer} server @param {string} pathname @returns {Promise<{ status: number, type: string, body: string } | undefined>} */
async function answer(server, pathname) {
  const { renderer, data } = await current(server);
  const { appDataUrl, defaultLocale, pageDataUrl, queryUrl } = renderer;
  const json = (/** @type {string} */ body) => ({ status: 200, type: 'application/json', body });
  if (pathname === appDataUrl()) return json(JSON.stringify({ build: 'dev' }));
  const page = data.pages.find((one) => pageDataUrl(one.data.path) === pathname);
  if (page !== undefined) return json(JSON.stringify(page.data));
  const shared = [...data.shared].find(([hash]) => queryUrl(hash) === pathname);
  if (shared !== undefined) return json(shared[1]);
  if (path.extname(pathname) !== '' && !pathname.endsWith('.html')) return undefined;

  const wanted = data.pages.find(({ route }) => route.path === pathname);
  const shown = wanted ?? data.pages.find(({ route }) => route.page === 'not-found');
  if (shown === undefined) return undefined;
  const locale = shown.route.locale ?? defaultLocale;
  const html = await renderer.renderPage({
    data: shown.data,
    locale,
    queries: shown.queriesIn(locale),
    year: new Date().getFullYear(),
    assets: { scripts: [], sheet: '' },
    policy: null,
  });
  const parts =
    '<link rel="stylesheet" href="/styles/index.css"><script type="module" src="/site/client.tsx"></script>';
  const body = await server.transformIndexHtml(pathname, html('dev').replace('</head>', `${parts}</head>`));
  return { status: wanted === undefined ? 404 : 200, type: 'text/html; charset=utf-8', body };
}

/** @type {import('vite').Plugin} */
const sitePages = {
  name: 'site-pages',
  // After Vite's own files and before its 404 page.
  configureServer: (server) => () => {
    server.middlewares.use((request, response, next) => {
      const { pathname } = new URL(request.originalUrl ?? '/', 'http://host');
      answer(server, pathname).then((found) => {
        if (found === undefined) return next();
        response.statusCode = found.status;
        response.setHeader('content-type', found.type);
        response.end(found.body);
      }, next);
    });
  },
};

await buildWasm();
// Without the npm packages: the server has no bundle that names them.
const notices = allNotices();
const server = await createServer({
  configFile: path.join(root, 'vite.config.ts'),
  appType: 'custom',
  plugins: [sitePages],
  server: { port: Number(process.env['PORT'] ?? 5173) },
});
await server.listen();
server.printUrls();
