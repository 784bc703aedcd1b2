// @ts-check
// web/ → dist/site: the pages, their scripts, and `_headers` for the host.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { build as bundle } from 'vite';
import { freshly, hashOf } from './fingerprint.mjs';
import { formatHeaders, headerRules } from './headers.mjs';
import { isMain } from './main.mjs';
import { root } from './toolchain.mjs';

const outDir = path.join(root, 'dist/site');

/** @returns {string[]} every HTML file of the site, relative to it */
function documents() {
  const files = fs.readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.html')).sort();
}

/**
 * The hashes by which the policy allows a page's inline scripts: of the bytes that were written, nothing else counts.
 * @param {string} html
 * @returns {string[]}
 */
function inlineScriptHashes(html) {
  const scripts = html.matchAll(/<script(?<attributes>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi);
  return [...scripts]
    .filter(({ groups }) => !/\ssrc\s*=|application\/(ld\+)?json/i.test(groups?.['attributes'] ?? ''))
    .map(({ groups }) => groups?.['body'] ?? '')
    .map((body) => `'sha256-${createHash('sha256').update(body).digest('base64')}'`);
}

/** @param {string} file index.html → /, en/index.html → /en/, 404.html → /404.html */
function pagePath(file) {
  return `/${file.split(path.sep).join('/')}`.replace(/(^|\/)index\.html$/, '$1');
}

function writeHeaders() {
  const files = documents();
  const hashes = files.flatMap((file) => inlineScriptHashes(fs.readFileSync(path.join(outDir, file), 'utf8')));
  const scriptHashes = [...new Set(hashes)].sort();
  const rules = headerRules({ scriptHashes, pages: files.map(pagePath) });
  fs.writeFileSync(path.join(outDir, '_headers'), formatHeaders(rules));
}

async function build() {
  await bundle({ configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
  writeHeaders();
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
    outputs: ['dist/site'],
    also: environment() + hashOf(['web/engine/core'], true),
    build,
  });
  console.log(outcome === 'fresh' ? 'dist/site: unchanged' : `dist/site: ${documents().length} documents`);
}

if (isMain(import.meta)) await buildSite();
