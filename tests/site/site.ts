// Starts a deployment of dist/site for one test, with a request log, faults on request, and an offline switch. Each has
// another port and so another origin, so tests do not share stored data.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Intercept, serve } from '../../scripts/serve.mjs';
import { root } from '../../scripts/toolchain.mjs';
import type { Driver } from '../lib/browsers.mjs';

export const siteDir = path.join(root, 'dist/site');

export interface Fault {
  /** The status of the answer. 0 closes the connection; undefined is the usual answer, possibly delayed. */
  readonly status?: number;
  readonly body?: string;
  readonly delayMs?: number;
}

export interface Site {
  readonly url: string;
  /** Returns how many times `GET path` (or `HEAD path`) was requested since the last `forget`. */
  readonly count: (request: string) => number;
  readonly requests: () => string[];
  /** Clears the request log. */
  readonly forget: () => void;
  /** Sets the next answers to paths that contain `part`; the last one is repeated. An empty list removes the fault. */
  readonly fault: (part: string, ...faults: Fault[]) => void;
  /** Returns the bytes that browsers have sent in request bodies. */
  readonly bodies: () => number;
  readonly setOffline: (offline: boolean) => void;
  readonly close: () => Promise<void>;
}

export interface SiteOptions {
  /** Whether sw.js exists. Most tests work without it, because it requests every file. */
  readonly serviceWorker?: boolean;
  /** The folder of another build than dist/site. */
  readonly root?: string;
  /** The address on which the server listens. */
  readonly host?: string;
}

export async function startSite({
  serviceWorker = false,
  root: folder = siteDir,
  host,
}: SiteOptions = {}): Promise<Site> {
  if (folder === siteDir && !fs.existsSync(path.join(siteDir, 'index.html')))
    throw new Error('dist/site is not built: run `npm run build`');
  const faults = new Map<string, Fault[]>();
  if (!serviceWorker) faults.set('/sw.js', [{ status: 404 }]);
  let offline = false;

  const intercept: Intercept = async (request, response, url) => {
    if (offline) {
      request.socket.destroy();
      return true;
    }
    const part = [...faults.keys()].find((key) => url.pathname.includes(key));
    const list = part === undefined ? [] : (faults.get(part) ?? []);
    const fault = list.length > 1 ? list.shift() : list[0];
    if (fault === undefined) return false;
    if (fault.delayMs !== undefined) await pause(fault.delayMs);
    if (fault.status === undefined) return false;
    if (fault.status === 0) request.socket.destroy();
    else {
      response.statusCode = fault.status;
      response.setHeader('cache-control', 'no-store');
      const type = { '.js': 'text/javascript', '.json': 'application/json' }[path.extname(url.pathname)];
      if (type !== undefined) response.setHeader('content-type', type);
      response.end(fault.body ?? '');
    }
    return true;
  };
  const server = await serve({ root: folder, intercept, ...(host === undefined ? {} : { host }) });
  const requests = () => server.log.map(({ method, path: asked }) => `${method} ${asked}`);
  return {
    url: server.url,
    requests,
    bodies: () => server.log.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
    count: (wanted) => requests().filter((request) => request === wanted).length,
    forget: () => void server.log.splice(0),
    fault: (part, ...list) => void faults.set(part, list),
    setOffline: (value) => {
      offline = value;
    },
    close: server.close,
  };
}

export { pause };

/** Opens a page and waits until it is hydrated. */
export async function open(driver: Driver, url: string): Promise<void> {
  await driver.goto(url);
  await until(driver, () => performance.getEntriesByName('site:alive').length > 0);
}

/** Opens a page and waits until it has asked for the server's build, so that later requests have another cause. */
export async function openChecked(driver: Driver, url: string): Promise<void> {
  await open(driver, url);
  const isChecked = () => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/app-data.json'));
  await until(driver, isChecked);
}

/** Sets an attribute on the document, which a full navigation removes. */
export async function mark(driver: Driver): Promise<void> {
  await driver.eval(() => document.documentElement.setAttribute('data-marked', ''));
}

export function isMarked(driver: Driver): Promise<boolean> {
  return driver.eval(() => document.documentElement.hasAttribute('data-marked'));
}

/** Waits for a condition like the driver's `waitFor`, but also across navigations, during which `eval` fails. */
export async function until<A extends unknown[]>(driver: Driver, condition: (...args: A) => boolean, ...args: A) {
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    if (await driver.eval(condition, ...args).catch(() => false)) return;
    await pause(100);
  }
  throw new Error(`${driver.engine}: never true: ${condition}`);
}

/** Waits for the new document of a full navigation. */
export function fullNavigation(driver: Driver): Promise<void> {
  return until(
    driver,
    () =>
      !document.documentElement.hasAttribute('data-marked') && performance.getEntriesByName('site:alive').length > 0,
  );
}
