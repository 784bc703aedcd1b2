// @ts-check
// Serves dist/site for a Playwright run and sets SITE_URL, which the workers inherit.
import fs from 'node:fs';
import path from 'node:path';
import { serve } from '../../scripts/serve.mjs';
import { root } from '../../scripts/toolchain.mjs';

/** @returns {Promise<() => Promise<void>>} a function that stops the server */
async function serveSite() {
  const site = path.join(root, 'dist/site');
  if (!fs.existsSync(path.join(site, 'index.html'))) throw new Error('dist/site is not built: run `npm run build`');
  const server = await serve({ root: site });
  process.env['SITE_URL'] = server.url;
  return server.close;
}

export default serveSite;
