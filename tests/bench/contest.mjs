// @ts-check
// The places where contenders run: a page in a browser, and processes without one.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { serve } from '../../scripts/serve.mjs';
import { root } from '../../scripts/toolchain.mjs';
import { launch } from '../lib/browsers.mjs';

/** @typedef {{ width: number, height: number, type: 'image/jpeg' | 'image/png', quality: number }} Target */
/** @typedef {(name: string, index: number, target: Target) => Promise<number>} Timed milliseconds */

/**
 * Opens tests/bench/page with these files in its input. The page is isolated from other origins: libvips' threads need
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
    /** @returns {Promise<Buffer>} what the last call made */
    result: async () => Buffer.from(await driver.eval(() => /** @type {any} */ (window).result()), 'base64'),
    /** Loads a contender without using it. @param {string} module */
    load: (module) => driver.eval((url) => import(url).then(() => undefined), module),
    close: async () => {
      await driver.close();
      await server.close();
    },
  };
}

/** Native sharp, pinned to the first core. */
export const startSharp = () => startProcess('sharp-process.mjs');

/** Our core without a browser around it, pinned likewise. */
export const startCore = () => startProcess('core-process.mjs');

/** @param {string} name of the file that waits for requests */
function startProcess(name) {
  const script = path.join(import.meta.dirname, name);
  const child = spawn('taskset', ['-c', '0', process.execPath, script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  /**
   * @param {string} file
   * @param {Target} target
   * @param {{ everyPixel?: boolean, size?: { width: number, height: number } }} [more] for sharp whether it has to decode every
   *   pixel, for the core the picture's size
   * @returns {Promise<{ milliseconds: number, processor: number, bytes: Buffer }>} `processor`: milliseconds too
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
