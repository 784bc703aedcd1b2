// @ts-check
// Waits for downloads by watching their folder, the only method that works in every engine.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {{ name: string, path: string }} Downloaded */
/** @typedef {{ timeoutMs?: number }} Patience */

export const defaultTimeoutMs = 15_000;

/**
 * Waits for a new file in the folder until it no longer grows.
 * @param {string} folder
 * @param {() => Promise<unknown>} trigger
 * @param {Patience} [patience]
 * @returns {Promise<Downloaded>}
 */
export async function newFileIn(folder, trigger, { timeoutMs = defaultTimeoutMs } = {}) {
  const unfinished = /\.(part|wkdownload|crdownload|tmp)$/;
  const files = () =>
    fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !unfinished.test(entry.name))
      .map((entry) => entry.name);
  const before = new Set(files());
  await trigger();
  const deadline = Date.now() + timeoutMs;
  let lastSize = -1;
  while (Date.now() < deadline) {
    const name = files().find((file) => !before.has(file));
    const size = name === undefined ? -1 : fs.statSync(path.join(folder, name)).size;
    const busy = fs.readdirSync(folder).some((file) => unfinished.test(file));
    if (name !== undefined && size > 0 && size === lastSize && !busy) return { name, path: path.join(folder, name) };
    lastSize = size;
    await sleep(100);
  }
  throw new Error(`no download within ${timeoutMs} ms`);
}
