// @ts-check
// Serves dist/site twice for a Playwright run, and sets two addresses, which the workers inherit: SITE_URL without the
// service worker, which would store every file of the site for each test, and OFFLINE_SITE_URL with it.
import fs from 'node:fs';
import path from 'node:path';
import { serve } from '../../scripts/serve.mjs';
import { root } from '../../scripts/toolchain.mjs';

/** @type {import('../../scripts/serve.mjs').Intercept} */
const withoutServiceWorker = (_, response, { pathname }) => {
  if (pathname !== '/sw.js') return false;
  response.statusCode = 404;
  response.end();
  return true;
};

/** @returns {Promise<() => Promise<void>>} a function that stops the servers */
async function serveSite() {
  const site = path.join(root, 'dist/site');
  if (!fs.existsSync(path.join(site, 'index.html'))) throw new Error('dist/site is not built: run `npm run build`');
  const [plain, offline] = await Promise.all([
    serve({ root: site, intercept: withoutServiceWorker }),
    serve({ root: site }),
  ]);
  process.env['SITE_URL'] = plain.url;
  process.env['OFFLINE_SITE_URL'] = offline.url;
  return async () => {
    await plain.close();
    await offline.close();
  };
}

export default serveSite;
