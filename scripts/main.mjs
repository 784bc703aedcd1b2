// @ts-check
// Whether a script was started or imported.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @param {ImportMeta} meta
 * @returns {boolean}
 */
export function isMain(meta) {
  const started = process.argv[1];
  return started !== undefined && fs.realpathSync(started) === fileURLToPath(meta.url);
}
