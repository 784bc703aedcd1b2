// @ts-check
// SSIMULACRA2 (J. Sneyers, 2023), by the crate of that name: 100 for equal pictures, 90 where hardly anyone sees a
// difference, 70 for good and 50 for mediocre quality.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { root, toolEnv } from '../../scripts/toolchain.mjs';

/** @typedef {import('./dssim.mjs').Picture} Picture */

const manifest = path.join(import.meta.dirname, 'ssimulacra2/Cargo.toml');
const folder = path.join(root, 'target/ssimulacra2');

let isBuilt = false;

function build() {
  if (isBuilt) return;
  const command = ['build', '--release', '--quiet', '--locked', '--manifest-path', manifest, '--target-dir', folder];
  execFileSync('cargo', command, { env: toolEnv(), stdio: 'inherit' });
  isBuilt = true;
}

/**
 * Compares pictures with a reference of their size.
 * @param {Picture} reference @param {Picture[]} pictures @returns {number[]}
 */
export function ssimulacra2(reference, pictures) {
  build();
  const input = Buffer.concat([reference, ...pictures].map(({ data }) => data));
  const sides = [reference.width, reference.height].map(String);
  const output = execFileSync(path.join(folder, 'release/ssimulacra2-of'), sides, { input, encoding: 'utf8' });
  return output.trim().split('\n').map(Number);
}
