// The service worker makes the site work offline. It stores every file of one build and serves hashed files from its
// cache. Pages and their data are requested from the network first, so that a new deployment is found at once.

/// <reference lib="webworker" />

import {
  SHARE_PATH,
  SHARED_QUERY,
  type WorkerAnswers,
  type WorkerMessage,
  type WorkerQuestion,
} from './service-worker-protocol.ts';

declare const self: ServiceWorkerGlobalScope;

/** The build's data; the build replaces the name by the value. */
declare const __BUILD__: {
  readonly id: string;
  readonly base: string;
  /** The addresses and sizes of all files that the site needs. */
  readonly files: readonly (readonly [url: string, bytes: number])[];
};

const { id, base, files } = __BUILD__;
const PREFIX = 'site-';
const CACHE = PREFIX + id;
/** The cache with the name of the build that served pages last. Its files are kept for tabs that still show it. */
const STATE = 'state';
const LAST_BUILD = `${base}/last-build`;
const SHARE_WAIT_MS = 60_000;

/** The files that another app has shared; they are in memory and never stored. */
let shared: File[] = [];

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const store = async (url: string) => {
    // A file with a hash in its name may already be stored by an earlier build.
    const known = isHashed(url) ? await caches.match(url) : undefined;
    const response = known ?? (await fetch(url, { cache: 'no-cache' }));
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    await cache.put(url, response);
  };
  await Promise.all(files.map(([url]) => store(url)));
}

async function activate(): Promise<void> {
  const state = await caches.open(STATE);
  const last = await (await state.match(LAST_BUILD))?.text();
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE && name !== last);
  await Promise.all(old.map((name) => caches.delete(name)));
  await state.put(LAST_BUILD, new Response(CACHE));
  await self.clients.claim();
}

function isHashed(url: string): boolean {
  return url.startsWith(`${base}/assets/`);
}

async function cacheFirst(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** Returns the address under which a page is stored: `/en/` for `/en` and `/en/index.html`. */
function storedAs({ mode, url }: Request): string {
  const { pathname } = new URL(url);
  if (mode !== 'navigate' || pathname.endsWith('.html')) return pathname.replace(/\/index\.html$/, '/');
  return pathname.endsWith('/') ? pathname : `${pathname}/`;
}

async function networkFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(CACHE);
    const stored = await cache.match(storedAs(request));
    if (stored !== undefined) return stored;
    const lost = request.mode === 'navigate' ? await cache.match(`${base}/404.html`) : undefined;
    if (lost === undefined) throw error;
    return new Response(lost.body, { status: 404, headers: lost.headers });
  }
}

/** Takes files that another app shares with the installed site. They are not sent to the network. */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData();
  shared = form.getAll('images').filter((value) => value instanceof File);
  return Response.redirect(`${base}/${SHARED_QUERY}`, 303);
}

async function offlineBytes(): Promise<number | null> {
  const cache = await caches.open(CACHE);
  const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  if (!files.every(([url]) => stored.has(url))) return null;
  return files.reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** Deletes the stored pages, which belong to an old build; later visits use the network. */
async function dropPages(): Promise<void> {
  const cache = await caches.open(CACHE);
  const pages = (await cache.keys()).filter(({ url }) => !isHashed(new URL(url).pathname));
  await Promise.all(pages.map((request) => cache.delete(request)));
}

function onMessage({ data, ports: [port] }: ExtendableMessageEvent): Promise<void> {
  const { ask }: WorkerMessage = data;
  switch (ask) {
    case 'skip-waiting':
      return self.skipWaiting();
    case 'drop-pages':
      return dropPages();
    case 'offline-state':
      return offlineBytes().then((bytes) => answer(port, ask, { bytes }));
    case 'shared-files':
      return Promise.resolve(answer(port, ask, shared.splice(0)));
  }
}

function answer<Q extends WorkerQuestion>(port: MessagePort | undefined, _to: Q, value: WorkerAnswers[Q]): void {
  port?.postMessage(value);
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => event.waitUntil(onMessage(event)));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === 'POST' && pathname === base + SHARE_PATH) {
    event.respondWith(takeShared(request));
    // Keeps the worker, and with it the files, alive until the opened page requests them.
    event.waitUntil(new Promise((resolve) => setTimeout(resolve, SHARE_WAIT_MS)));
    return;
  }
  if (request.method !== 'GET') return;
  event.respondWith(isHashed(pathname) ? cacheFirst(request) : networkFirst(request));
});
