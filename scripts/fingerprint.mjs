// @ts-check
// Decides whether something that was built is still what its inputs say: a hash over the content of every input and of
// every output. Times of files are never trusted: a checkout sets them as it likes.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './toolchain.mjs';

const stamps = path.join(root, '.tools', 'stamps');
const ignored = new Set(['node_modules', 'target', '.git', 'core']);

/**
 * Files below a folder, sorted, generated ones left out.
 * @param {string} folder
 * @param {boolean} everything also folders that inputs never include
 * @returns {string[]}
 */
function filesBelow(folder, everything) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(folder, entry.name);
      if (!entry.isDirectory()) return [full];
      return !everything && ignored.has(entry.name) ? [] : filesBelow(full, everything);
    });
}

/**
 * @param {string[]} places files and folders, relative to the root; absent ones count as absent
 * @param {boolean} [everything]
 * @returns {string}
 */
export function hashOf(places, everything = false) {
  const hash = createHash('sha256');
  for (const place of places) {
    const full = path.join(root, place);
    const stat = fs.statSync(full, { throwIfNoEntry: false });
    const files = stat === undefined ? [] : stat.isDirectory() ? filesBelow(full, everything) : [full];
    for (const file of files) {
      const content = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
      hash.update(`${path.relative(root, file)}\0${content}\0`);
    }
  }
  return hash.digest('hex');
}

/**
 * Runs `build` unless its outputs are those that these inputs gave before.
 * @param {{ name: string, inputs: string[], outputs: string[], also?: string, build: () => Promise<void> }} task
 *   `also`: anything beside files that the result depends on
 * @returns {Promise<'built' | 'fresh'>}
 */
export async function freshly({ name, inputs, outputs, also = '', build }) {
  const stamp = path.join(stamps, name);
  // Read before building: what changes during the build must make it stale.
  const before = `${hashOf(inputs)} ${createHash('sha256').update(also).digest('hex')}`;
  const now = () => `${before} ${hashOf(outputs, true)}\n`;
  const present = outputs.every((output) => fs.existsSync(path.join(root, output)));
  if (present && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === now()) return 'fresh';
  fs.rmSync(stamp, { force: true });
  await build();
  fs.mkdirSync(stamps, { recursive: true });
  fs.writeFileSync(stamp, now());
  return 'built';
}
