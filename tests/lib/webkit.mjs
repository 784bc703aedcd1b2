// @ts-check
// Starts WebKitGTK on a virtual screen and drives it with plain W3C WebDriver requests
// (https://www.w3.org/TR/webdriver2/). It starts three processes (Xvfb, WebKitWebDriver and, through it, MiniBrowser)
// and a home folder, and ends only these. Requests cannot be intercepted, so the test server must produce faults. The
// narrowest window is about 447 px; use an iframe for narrower ones.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFileIn } from './downloads.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {import('./browsers.mjs').EngineDriver} EngineDriver */
/** @typedef {(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<any>} Request */

// The key of an element reference in the standard (§12.2).
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

// The code points of keys without a character (§17.4.2).
/** @type {Record<string, string>} */
const keys = {
  ArrowDown: '\uE015',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  ArrowUp: '\uE013',
  Backspace: '\uE003',
  Delete: '\uE017',
  End: '\uE010',
  Enter: '\uE007',
  Escape: '\uE00C',
  Home: '\uE011',
  PageDown: '\uE00F',
  PageUp: '\uE00E',
  Space: ' ',
  Tab: '\uE004',
};

/**
 * Starts a program that ends with this process, also if this process is killed: an orphaned Xvfb would run forever.
 * @param {string} signal
 * @param {string[]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {ChildProcess}
 */
function spawnTied(signal, command, options) {
  const child = spawn('setpriv', ['--pdeathsig', signal, ...command], { ...options, detached: true });
  child.on('error', () => undefined); // the code that waits for the program reports the error
  return child;
}

/** Ends a process group that `spawnTied` started. @param {ChildProcess} child */
function end(child) {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid);
  } catch {
    // The group has already ended.
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/**
 * @returns {Promise<{ screen: ChildProcess, display: string }>}
 */
function startScreen() {
  // Xvfb finds a free display and writes its number to descriptor 3, so two runs cannot choose the same number.
  const command = ['Xvfb', '-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  const screen = spawnTied('KILL', command, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let written = '';
    screen.stdio[3]?.on('data', (chunk) => {
      written += chunk;
      if (written.includes('\n')) resolve({ screen, display: `:${written.trim()}` });
    });
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    screen.once('error', reject);
  });
}

/**
 * @param {string} driverBinary
 * @param {string} display
 * @param {string} home the folder of downloads
 * @param {NodeJS.ProcessEnv} settings
 * @returns {Promise<{ service: ChildProcess, request: Request }>}
 */
async function startService(driverBinary, display, home, settings) {
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: display,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_DATA_HOME: path.join(home, '.data'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_CONFIG_HOME: path.join(home, '.config'),
    GDK_BACKEND: 'x11',
    GSETTINGS_BACKEND: 'memory',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_AT_BRIDGE: '1',
    ...settings,
  };
  const command = [driverBinary, `--port=${port}`, '--host=127.0.0.1'];
  const service = spawnTied('TERM', command, { env, stdio: 'ignore' });
  /** @type {Request} */
  const request = async (method, pathname, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${pathname}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = /** @type {{ value: any }} */ (await response.json());
    if (!response.ok) throw new Error(`WebKit: ${value?.error}: ${value?.message}`);
    return value;
  };
  for (let attempt = 0; ; attempt++) {
    try {
      await request('GET', '/status');
      return { service, request };
    } catch (error) {
      if (attempt === 100 || service.exitCode !== null) {
        end(service);
        throw new Error('WebKitWebDriver does not answer', { cause: error });
      }
      await sleep(50);
    }
  }
}

/**
 * @param {Request} call within a session
 * @param {string} home
 * @returns {Omit<EngineDriver, 'engine' | 'close'>}
 */
function commands(call, home) {
  /** Waits up to two seconds for an element. @param {string} selector @returns {Promise<string>} the path of the element */
  const element = async (selector) => {
    for (let attempt = 0; ; attempt++) {
      try {
        const found = await call('POST', '/element', { using: 'css selector', value: selector });
        return `/element/${found[elementKey]}`;
      } catch (error) {
        if (attempt === 40) throw error;
        await sleep(50);
      }
    }
  };
  return {
    goto: (url) => call('POST', '/url', { url }),
    click: async (selector) => call('POST', `${await element(selector)}/click`, {}),
    fill: async (selector, text) => {
      const field = await element(selector);
      await call('POST', `${field}/clear`, {});
      await call('POST', `${field}/value`, { text });
    },
    press: async (key) => {
      const value = keys[key] ?? key;
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
      await call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    // A file input takes several files as the lines of one text (§12.5.3).
    setFiles: async (selector, files) => call('POST', `${await element(selector)}/value`, { text: files.join('\n') }),
    text: async (selector) => {
      const found = await element(selector);
      return (await call('GET', `${found}/property/textContent`)) ?? '';
    },
    download: (trigger, patience) => newFileIn(home, trigger, patience),
    eval: async (action, ...args) => {
      const script = `const done = arguments[arguments.length - 1];
        Promise.resolve().then(() => (${action})(...arguments[0]))
          .then(value => done({ value }), error => done({ error: String(error) }));`;
      const answer = await call('POST', '/execute/async', { script, args: [args] });
      if (answer.error !== undefined) throw new Error(`in the page: ${answer.error}`);
      return answer.value;
    },
    resize: (width, height) => call('POST', '/window/rect', { width, height }),
    screenshot: async () => Buffer.from(await call('GET', '/screenshot'), 'base64'),
  };
}

/**
 * @param {import('./engines.mjs').FoundEngine} found
 * @param {{ layers?: boolean }} [options] `layers`: whether pages are composed of layers, as on a machine with a graphics
 *   card. Its emulation takes two thirds of the processor time of a page. Only with it are there screenshots.
 * @returns {Promise<EngineDriver>}
 */
export async function launchWebKit({ binary, driver }, { layers = false } = {}) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'webkit-home-'));
  const { screen, display } = await startScreen();
  /** @type {ChildProcess[]} */
  const children = [screen];
  const endAll = () => children.reverse().forEach(end);
  process.once('exit', endAll);
  const cleanUp = async () => {
    process.off('exit', endAll);
    endAll();
    await sleep(100); // MiniBrowser writes its last files during this time
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { service, request } = await startService(
      driver,
      display,
      home,
      layers ? {} : { WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    );
    children.push(service);
    const browserOptions = { binary, args: ['--automation'] };
    const alwaysMatch = { 'webkitgtk:browserOptions': browserOptions };
    const { sessionId } = await request('POST', '/session', { capabilities: { alwaysMatch } });
    /** @type {Request} */
    const call = (method, pathname, body) => request(method, `/session/${sessionId}${pathname}`, body);
    await call('POST', '/timeouts', { script: 120_000 });
    const close = async () => {
      await call('DELETE', '').catch(() => undefined);
      await cleanUp();
    };
    return { engine: 'webkit', ...commands(call, home), close };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}
