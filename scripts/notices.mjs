// @ts-check
// The copyright notices and licences of what the site and dist/engine contain: crates in the wasm modules, npm packages
// in the bundles, fonts. The texts are read from the packages themselves. The build fails if a package has no text.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { wasmModules } from './modules.mjs';
import { root, wasmToolchain } from './toolchain.mjs';

/** @typedef {import('../web/site/content.ts').Notice} Notice */
/** @typedef {import('../web/site/content.ts').NoticePackage} NoticePackage */
/** @typedef {NoticePackage & { texts: string[] }} Shipped a package with the texts of its licence files */

/** The file of the notices in each folder that is published. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** What the packages contain besides their dependencies. Paths are relative to the project. */
const others = [
  { name: 'Noto Sans', version: '', license: 'OFL-1.1', files: ['crates/codec-svg/fonts/OFL.txt'] },
  // Libraries in C inside the modules of npm packages, which contain the licences of their wrappers only.
  { name: 'libwebp', version: '', license: 'BSD-3-Clause', files: ['scripts/notices/libwebp.txt'] },
  { name: 'libavif', version: '', license: 'BSD-2-Clause', files: ['scripts/notices/libavif.txt'] },
  { name: 'libaom', version: '', license: 'BSD-2-Clause', files: ['scripts/notices/libaom.txt'] },
  { name: 'libjxl', version: '', license: 'BSD-3-Clause', files: ['scripts/notices/libjxl.txt'] },
  // Of "MIT OR Apache-2.0", because that text needs no list of all authors.
  { name: 'Rust standard library', version: '', license: 'Apache-2.0', files: ['LICENSE-APACHE'] },
];

/** Crates that are published without the licence file of their repository, each with a crate of it that has the file. */
const sameRepository = new Map([['alloc-stdlib', 'alloc-no-stdlib']]);

/** Crates that are published without any licence file and offer Apache-2.0, whose text names no authors. */
const withoutFile = new Set(['heifer-hevc-dec']);

const licenceFile = /^(licen[cs]e|copying|notice|copyright|unlicense)(?![a-z])(?!.*\.(m?js|rs|ts|json)$)/i;

/** @param {string} license SPDX @returns {boolean} whether another licence may be chosen instead of Apache-2.0 */
const offersChoice = (license) => /Apache-2\.0\)? *(OR |\/)|( OR|\/) *Apache-2\.0/.test(license);

/**
 * Reads the licence files of a package. Where it may be used under a shorter licence than Apache-2.0, the text of Apache-2.0 is
 * left out.
 * @param {string} folder
 * @param {string} license SPDX
 * @returns {string[]}
 */
export function licenceTexts(folder, license) {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => licenceFile.test(path.basename(name)) && !name.includes('node_modules'));
  const shorter = files.filter((name) => !/apache/i.test(name));
  const chosen = offersChoice(license) && shorter.length > 0 ? shorter : files;
  return chosen
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile())
    .map((file) => fs.readFileSync(file, 'utf8'));
}

/** @param {string[]} args @returns {string} what cargo prints */
function cargo(...args) {
  const { env } = wasmToolchain();
  return execFileSync('cargo', [...args, '--locked'], { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 27 });
}

/** @typedef {{ id: string, name: string, version: string, license: string, manifest_path: string }} Crate */

/** @returns {Shipped[]} the crates of other authors in the wasm modules */
function shippedCrates() {
  const target = 'wasm32-unknown-unknown';
  const names = wasmModules.flatMap(({ crate }) => (crate === undefined ? [] : ['-p', path.basename(crate)]));
  // Code that runs in the compiler is not shipped: build scripts, macros.
  const kinds = ['--edges', 'normal,no-proc-macro', '--prefix', 'none', '--no-dedupe', '--format', '{p}'];
  const tree = cargo('tree', ...names, '--target', target, ...kinds);
  // For example `png v0.18.1`, with the folder behind it if the crate is in this checkout.
  const shipped = new Set(tree.split('\n').map((line) => line.replace(/ \(.*/, '')));
  /** @type {{ packages: Crate[], workspace_members: string[] }} */
  const { packages, workspace_members: ours } = JSON.parse(
    cargo('metadata', '--format-version', '1', '--filter-platform', target),
  );
  /** @param {Crate} crate */
  const textsOf = ({ name, license, manifest_path: own }) => {
    if (withoutFile.has(name) && offersChoice(license))
      return [fs.readFileSync(path.join(root, 'LICENSE-APACHE'), 'utf8')];
    const other = packages.find((one) => one.name === sameRepository.get(name));
    return licenceTexts(path.dirname(other?.manifest_path ?? own), license);
  };
  return packages
    .filter(({ id, name, version }) => !ours.includes(id) && shipped.has(`${name} v${version}`))
    .map((crate) => ({ name: crate.name, version: crate.version, license: crate.license, texts: textsOf(crate) }));
}

/** @returns {Shipped[]} */
function shippedOthers() {
  return others.map(({ files, ...rest }) => ({
    ...rest,
    texts: files.map((file) => fs.readFileSync(path.join(root, file), 'utf8')),
  }));
}

/**
 * A plugin of the bundler that collects the folders of the npm packages in its output.
 * @param {Set<string>} folders
 * @returns {import('vite').Plugin}
 */
export function collectPackages(folders) {
  return {
    name: 'collect-packages',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(output.modules)) {
          const folder = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0];
          if (folder !== undefined && renderedLength > 0) folders.add(folder.replace(/^\0/, ''));
        }
      }
    },
  };
}

/** @param {Iterable<string>} folders of npm packages @returns {Shipped[]} */
function shippedPackages(folders) {
  return [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return { name, version, license, texts: licenceTexts(folder, license) };
  });
}

/** The files that the notices are made from, besides the packages. */
export const noticeInputs = ['Cargo.lock', 'package-lock.json', ...others.flatMap(({ files }) => files)];

/** @returns {string[]} the folders of the npm packages whose wasm modules are copied */
function modulePackages() {
  return wasmModules.flatMap(({ npm }) => {
    const folder = /^(@[^/]+\/)?[^/]+/.exec(npm ?? '')?.[0];
    return folder === undefined ? [] : [path.join(root, 'node_modules', folder)];
  });
}

/**
 * Returns the notices of the wasm modules, the fonts and the npm packages.
 * @param {Iterable<string>} [folders] of npm packages
 * @returns {Notice[]}
 */
export function allNotices(folders = []) {
  return noticesOf([...shippedCrates(), ...shippedOthers(), ...shippedPackages([...folders, ...modulePackages()])]);
}

/**
 * Groups packages that have the same text. Throws if a package has none.
 * @param {Shipped[]} shipped
 * @returns {Notice[]} in the order of the packages' names
 */
export function noticesOf(shipped) {
  const bare = shipped.filter(({ texts }) => texts.length === 0).map(({ name, version }) => `${name} ${version}`);
  if (bare.length > 0) throw new Error(`shipped without a licence text: ${bare.join(', ')} (scripts/notices.mjs)`);
  /** @type {Map<string, { packages: NoticePackage[], text: string }>} */
  const groups = new Map();
  const sorted = shipped.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  for (const { name, version, license, texts } of sorted) {
    for (const text of texts) {
      // Many packages have the same text with other line ends.
      const key = text.replace(/\s+/g, ' ').trim();
      const group = groups.get(key) ?? { packages: [], text: tidy(text) };
      group.packages.push({ name, version, license });
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** @param {string} text @returns {string} the same text without blank lines and spaces around it */
function tidy(text) {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/** @param {Notice[]} notices @returns {string} the text of `noticesFile` */
export function noticesText(notices) {
  const rule = '-'.repeat(80);
  const parts = notices.map(({ packages, text }) => {
    const lines = packages.map(({ name, version, license }) => `${`${name} ${version}`.trim()} (${license})`);
    return `${rule}\n${lines.join('\n')}\n\n${text}\n`;
  });
  return `The notices and licences of the software and fonts in this folder that other authors wrote.\n\n${parts.join('\n')}`;
}
