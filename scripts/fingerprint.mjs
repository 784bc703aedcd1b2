// @ts-check
// Decides whether an output is up to date, with a hash of the content of every input and output. Modification times are
// not used, because a checkout sets them arbitrarily.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './toolchain.mjs';

const stamps = path.join(root, '.tools', 'stamps');

/** @param {string} text @returns {string} */
export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Reads the generated folders from .gitignore: `name/` is ignored everywhere, `a/path/` only at this path.
 * @param {string} base
 * @returns {(folder: string) => boolean} whether a folder, relative to `base`, is generated
 */
function generatedFolders(base) {
  const list = path.join(base, '.gitignore');
  const lines = fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split('\n') : [];
  const folders = lines.filter((line) => /^[^#!*]+\/$/.test(line)).map((line) => line.slice(0, -1));
  const names = new Set(['.git', ...folders.filter((folder) => !folder.includes('/'))]);
  const paths = new Set(folders.filter((folder) => folder.includes('/')));
  return (folder) => names.has(path.basename(folder)) || paths.has(folder);
}

/**
 * Lists the files below a folder, sorted, relative to `base`.
 * @param {string} base
 * @param {string} folder relative to `base`
 * @param {(folder: string) => boolean} isIgnored
 * @returns {string[]}
 */
function filesBelow(base, folder, isIgnored) {
  return fs
    .readdirSync(path.join(base, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(folder, entry.name);
      if (!entry.isDirectory()) return [full];
      return isIgnored(full) ? [] : filesBelow(base, full, isIgnored);
    });
}

/**
 * Hashes files and folders. A missing file counts as empty.
 * @param {string[]} places relative to `base`
 * @param {{ generated?: boolean, base?: string }} [options] `generated` includes generated folders
 * @returns {string}
 */
export function hashOf(places, { generated = false, base = root } = {}) {
  const isIgnored = generated ? () => false : generatedFolders(base);
  const hash = createHash('sha256');
  for (const place of places) {
    const stat = fs.statSync(path.join(base, place), { throwIfNoEntry: false });
    const files = stat === undefined ? [] : stat.isDirectory() ? filesBelow(base, place, isIgnored) : [place];
    for (const file of files) {
      const content = createHash('sha256')
        .update(fs.readFileSync(path.join(base, file)))
        .digest('hex');
      hash.update(`${file}\0${content}\0`);
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} name
 * @returns {string | undefined} the content that `writeStamp` wrote under that name
 */
export function readStamp(name) {
  const file = path.join(stamps, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

/** @param {string} name @param {string | undefined} content undefined removes the stamp */
export function writeStamp(name, content) {
  const file = path.join(stamps, name);
  if (content === undefined) return fs.rmSync(file, { force: true });
  fs.mkdirSync(stamps, { recursive: true });
  fs.writeFileSync(file, content);
}

/**
 * Runs `build` unless the outputs are up to date.
 * @param {{ name: string, inputs: string[], outputs: string[], also?: string, build: () => Promise<void> }} task
 *   `also`: other values that the result depends on
 * @returns {Promise<'built' | 'fresh'>}
 */
export async function buildIfStale({ name, inputs, outputs, also = '', build }) {
  // Read before building: a change during the build must make the result stale.
  const before = `${hashOf(inputs)} ${sha256(also)}`;
  const now = () => `${before} ${hashOf(outputs, { generated: true })}\n`;
  const present = outputs.every((output) => fs.existsSync(path.join(root, output)));
  if (present && readStamp(name) === now()) return 'fresh';
  writeStamp(name, undefined);
  await build();
  writeStamp(name, now());
  return 'built';
}
