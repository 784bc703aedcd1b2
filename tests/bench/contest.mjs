// @ts-check
// The environments of the contenders: a page in a browser, and processes without a browser.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { serve } from '../../scripts/serve.mjs';
import { root } from '../../scripts/toolchain.mjs';
import { launch } from '../lib/browsers.mjs';

/** @typedef {{ width: number, height: number, type: 'image/jpeg' | 'image/png', quality: number }} Target */
/** @typedef {(name: string, index: number, target: Target) => Promise<number>} Timed milliseconds */

/**
 * Opens tests/bench/page with these files in its input. The page is cross-origin isolated, because the threads of
 * libvips need shared memory, which browsers allow only on isolated pages.
 * shared memory, which browsers give to such pages only.
 * @param {import('../lib/engines.mjs').EngineName} engine
 * @param {string[]} files
 */
export async function openPage(engine, files) {
  const server = await serve({
    root,
    intercept: (_request, response) => {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
      return false;
    },
  });
  const driver = await launch(engine);
  await driver.goto(`${server.url}/tests/bench/page/`);
  await driver.waitFor(() => document.title === 'Ready', []);
  await driver.setFiles('#files', files);
  return {
    /** @type {Timed} */
    timed: (name, index, target) =>
      driver.eval((...args) => /** @type {any} */ (window).timed(...args), name, index, target),
    /** @returns {Promise<Buffer>} the result of the last call */
    result: async () => Buffer.from(await driver.eval(() => /** @type {any} */ (window).result()), 'base64'),
    /** Loads a contender without running it. @param {string} module */
    load: (module) => driver.eval((url) => import(url).then(() => undefined), module),
    close: async () => {
      await driver.close();
      await server.close();
    },
  };
}

/** Starts native sharp, pinned to the first core. */
export const startSharp = () => startProcess('sharp-process.mjs');

/** Starts this project's core without a browser, pinned to the first core. */
export const startCore = () => startProcess('core-process.mjs');

/** @param {string} name the name of the script that handles requests */
function startProcess(name) {
  const script = path.join(import.meta.dirname, name);
  const child = spawn('taskset', ['-c', '0', process.execPath, script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  /**
   * @param {string} file
   * @param {Target} target
   * @param {{ everyPixel?: boolean, size?: { width: number, height: number }, decoding?: 'exact' | 'fast' }} [more]
   *   `everyPixel` makes sharp decode every pixel; `size` is the size of the picture, for the core; `decoding` is the
   *   core's, too
   * @returns {Promise<{ milliseconds: number, processor: number, bytes: Buffer }>} `processor` is in milliseconds
   */
  const resize = (file, target, more = {}) =>
    new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('message', (/** @type {any} */ { error, bytes, ...times }) => {
        child.off('error', reject);
        if (error === undefined) resolve({ ...times, bytes: Buffer.from(bytes, 'base64') });
        else reject(new Error(`${name}: ${error}`));
      });
      child.send({ file, target, ...more });
    });
  return { resize, pid: child.pid, close: () => child.disconnect() };
}
