// @ts-check
// What a first visit to the home page loads, compressed: the page, all that its HTML names, and the worker, without the
// core; then the core. Fails above what is allowed with gzip, which every host has; Brotli, which most have, makes less.
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root } from './toolchain.mjs';

const site = path.join(root, 'dist/site');
const most = { page: 130_000, core: 700_000 };
const assets = path.join(site, 'assets');

/** @param {string} file @returns {{ gzip: number, brotli: number }} bytes */
function compressed(file) {
  const bytes = fs.readFileSync(file);
  return { gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
}

/** @param {string} folder @param {string} ending */
const filesIn = (folder, ending) =>
  fs.readdirSync(folder).flatMap((name) => (name.endsWith(ending) ? [path.join(folder, name)] : []));

const home = path.join(site, 'index.html');
const named = fs
  .readFileSync(home, 'utf8')
  .matchAll(/<(?:link rel="(?:icon|manifest)"|script)[^>]* (?:href|data-parts)="([^"]+)"/g);
const loaded = [
  home,
  ...[...named].flatMap(([, urls = '']) => urls.split(' ').map((url) => path.join(site, url))),
  ...filesIn(path.join(assets, 'worker'), '.js'),
];
const parts = [
  { name: 'first load without the core', files: loaded, most: most.page },
  { name: 'core', files: filesIn(assets, '.wasm'), most: most.core },
];
for (const { name, files, most: allowed } of parts) {
  const sizes = files.map((file) => ({ file, ...compressed(file) }));
  const sum = (/** @type {'gzip' | 'brotli'} */ coding) => sizes.reduce((total, size) => total + size[coding], 0);
  console.log(`${name}: ${sum('gzip')} of ${allowed} bytes with gzip, ${sum('brotli')} with Brotli`);
  for (const { file, gzip } of sizes) console.log(`${String(gzip).padStart(9)}  ${path.relative(site, file)}`);
  if (files.length === 0 || sum('gzip') > allowed) process.exitCode = 1;
}
