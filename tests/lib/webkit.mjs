// @ts-check
// WebKitGTK under a screen of its own, driven by plain W3C WebDriver requests (https://www.w3.org/TR/webdriver2/). Owns
// three processes (Xvfb, WebKitWebDriver and through it MiniBrowser) and a home folder, and ends exactly those.
// There is no interception: faults belong into the test server. The narrowest window is about 447 px: use an iframe.
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

// The name that the standard gives to an element's reference (§12.2).
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

// Code points of keys without a character (§17.4.2).
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
 * Starts a program that dies with this one, even where this one is killed: an orphaned Xvfb would stay for ever.
 * @param {string} signal
 * @param {string[]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {ChildProcess}
 */
function spawnTied(signal, command, options) {
  const child = spawn('setpriv', ['--pdeathsig', signal, ...command], { ...options, detached: true });
  child.on('error', () => undefined); // told by what waits for it
  return child;
}

/** Ends a process group that `spawnTied` began. @param {ChildProcess} child */
function end(child) {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid);
  } catch {
    // It has gone by itself.
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
  // Xvfb looks for a free display itself and writes its number to descriptor 3: no race for a number.
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
 * @param {string} home downloads land here
 * @returns {Promise<{ service: ChildProcess, request: Request }>}
 */
async function startService(driverBinary, display, home) {
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
  /** @param {string} selector @returns {Promise<string>} the path of the element, which must be there within two seconds */
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
    // An input takes several files as lines of one text (§12.5.3).
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
 * @returns {Promise<EngineDriver>}
 */
export async function launchWebKit({ binary, driver }) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'webkit-home-'));
  const { screen, display } = await startScreen();
  /** @type {ChildProcess[]} */
  const children = [screen];
  const endAll = () => children.reverse().forEach(end);
  process.once('exit', endAll);
  const cleanUp = async () => {
    process.off('exit', endAll);
    endAll();
    await sleep(100); // MiniBrowser writes its last files
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { service, request } = await startService(driver, display, home);
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
