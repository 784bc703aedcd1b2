// @ts-check
// Measures the compressed size of a first visit to each page: the page, all files in its HTML, and the worker, without
// the core; then the size of each wasm module. Fails above the budget with gzip, which every host supports. With
// `--brotli` it prints the smaller sizes of Brotli, too, which take twelve seconds.
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { checkFirstMessages } from './messages.mjs';
import { moduleOf, modulesOf } from './modules.mjs';
import { root } from './toolchain.mjs';

const site = path.join(root, 'dist/site');
const mostOfPage = 130_000;
const assets = path.join(site, 'assets');

const withBrotli = process.argv.includes('--brotli');

/** The sizes of files, which most pages share. @type {Map<string, { gzip: number, brotli: number }>} */
const known = new Map();

/** @param {string} file @returns {{ gzip: number, brotli: number }} bytes */
function compressed(file) {
  const bytes = fs.readFileSync(file);
  const sizes = known.get(file) ?? {
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: withBrotli ? brotliCompressSync(bytes).length : 0,
  };
  known.set(file, sizes);
  return sizes;
}

/** @param {string} folder @param {string} ending */
const filesIn = (folder, ending) =>
  fs.readdirSync(folder).flatMap((name) => (name.endsWith(ending) ? [path.join(folder, name)] : []));

/** @param {string} url @returns {string[]} the page of an address and the files in its HTML */
function filesOf(url) {
  const page = path.join(site, url, 'index.html');
  const html = fs.readFileSync(page, 'utf8');
  const named = html.matchAll(/<(?:link rel="(?:icon|manifest)"|script)[^>]* (?:href|data-parts)="([^"]+)"/g);
  return [page, ...[...named].flatMap(([, urls = '']) => urls.split(' ').map((name) => path.join(site, name)))];
}

// Sites without a decoder of HEVC contain another module for HEIC.
const decodesHevc = filesIn(assets, '.wasm').some((file) => moduleOf(file)?.heic === 'built-in');
const workers = filesIn(path.join(assets, 'worker'), '.js');
// Workers of other modules are loaded together with them.
const coreWorkers = workers.filter((file) => moduleOf(file)?.name === 'core');
const pages = ['/', '/en/', '/zh-CN/', '/zh-TW/', '/privacy-policy/'];
const parts = [
  ...pages.map((url) => ({
    name: `${url}, first load without the core`,
    files: [...filesOf(url), ...coreWorkers],
    most: mostOfPage,
  })),
  ...modulesOf(decodesHevc ? 'built-in' : 'device').map(({ name, budget }) => ({
    name,
    files: filesIn(assets, '.wasm').filter((file) => moduleOf(file)?.name === name),
    most: budget,
  })),
];
for (const { name, files, most: budget } of parts) {
  const sizes = files.map((file) => ({ file, ...compressed(file) }));
  const sum = (/** @type {'gzip' | 'brotli'} */ coding) => sizes.reduce((total, size) => total + size[coding], 0);
  const brotli = withBrotli ? `, ${sum('brotli')} with Brotli` : '';
  console.log(`${name}: ${sum('gzip')} of ${budget} bytes with gzip${brotli}`);
  if (name.startsWith('/,') || sum('gzip') > budget) {
    for (const { file, gzip } of sizes) console.log(`${String(gzip).padStart(9)}  ${path.relative(site, file)}`);
  }
  for (const file of files) if (file.endsWith('.js')) checkFirstMessages(fs.readFileSync(file, 'utf8'));
  if (files.length < (name.startsWith('/') ? 4 : 1) || sum('gzip') > budget) process.exitCode = 1;
}
