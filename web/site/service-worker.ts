// The service worker makes the site work offline. It stores the files of one build and serves hashed files from its cache.
// Pages and their data are requested from the network first, so that a new deployment is found at once.
//
// Wasm modules that few visitors need are stored later: when the page is idle, or when they are first used. A module that
// was stored once is stored with each later build.

/// <reference lib="webworker" />

import {
  type FormatUse,
  type OfflineState,
  SHARE_PATH,
  SHARED_QUERY,
  type StoreRequest,
  type WorkerAnswers,
  type WorkerMessage,
  type WorkerNews,
  type WorkerQuestion,
} from './service-worker-protocol.ts';

declare const self: ServiceWorkerGlobalScope;

type StoredFile = readonly [url: string, bytes: number];

/** A wasm module with its worker, which the site needs for some formats only. */
interface LateModule {
  readonly name: string;
  /** What needs it. */
  readonly uses: readonly FormatUse[];
  readonly stored: 'idle' | 'when-used';
  readonly files: readonly StoredFile[];
}

/** The build's data; the build replaces the name by the value. */
declare const __BUILD__: {
  readonly id: string;
  readonly base: string;
  /** The files that are stored with the first visit. */
  readonly files: readonly StoredFile[];
  readonly modules: readonly LateModule[];
};

const { id, base, files, modules } = __BUILD__;
const PREFIX = 'site-';
const CACHE = PREFIX + id;
/** The cache with what outlasts a build: the name of the build that served pages last, and the names of stored modules. */
const STATE = 'state';
/** The build whose files are kept for tabs that still show it. */
const LAST_BUILD = `${base}/last-build`;
const markOf = ({ name }: LateModule) => `${base}/modules/${name}`;
const SHARE_WAIT_MS = 60_000;

/** The files that another app has shared; they are in memory and never stored. */
let shared: File[] = [];

async function install(): Promise<void> {
  const state = await caches.open(STATE);
  const marks = await Promise.all(modules.map((module) => state.match(markOf(module))));
  const known = modules.filter((_, i) => marks[i] !== undefined);
  await storeFiles([...files, ...known.flatMap((module) => module.files)]);
}

async function storeFiles(wanted: readonly StoredFile[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const store = async (url: string) => {
    // A file with a hash in its name may already be stored by an earlier build.
    const known = isHashed(url) ? await caches.match(url) : undefined;
    const response = known ?? (await fetch(url, { cache: isHashed(url) ? 'default' : 'no-cache' }));
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    await cache.put(url, response);
  };
  await Promise.all(wanted.map(([url]) => store(url)));
}

/** Stores modules and tells the pages. */
async function storeModules({ used, isIdle }: Omit<StoreRequest, 'ask'>): Promise<void> {
  const wanted = modules.filter(
    (module) => (isIdle && module.stored === 'idle') || module.files.some(([url]) => used.includes(url)),
  );
  if (wanted.length === 0) return;
  const stored = await storedPaths();
  const missing = wanted.filter((module) => module.files.some(([url]) => !stored.has(url)));
  if (missing.length === 0) return;
  await storeFiles(missing.flatMap((module) => module.files));
  const state = await caches.open(STATE);
  await Promise.all(missing.map((module) => state.put(markOf(module), new Response())));
  const news: WorkerNews = { offline: await offlineState() };
  for (const client of await self.clients.matchAll({ type: 'window' })) client.postMessage(news);
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

async function storedPaths(): Promise<ReadonlySet<string>> {
  const cache = await caches.open(CACHE);
  return new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
}

async function offlineState(): Promise<OfflineState> {
  const stored = await storedPaths();
  const isStored = (list: readonly StoredFile[]) => list.every(([url]) => stored.has(url));
  const missing = modules.filter((module) => !isStored(module.files)).flatMap(({ uses }) => uses);
  if (!isStored(files)) return { bytes: null, missing };
  const all = [...files, ...modules.flatMap((module) => module.files)];
  const bytes = all.reduce((sum, [url, size]) => sum + (stored.has(url) ? size : 0), 0);
  return { bytes, missing };
}

/** Deletes the stored pages, which belong to an old build; later visits use the network. */
async function dropPages(): Promise<void> {
  const cache = await caches.open(CACHE);
  const pages = (await cache.keys()).filter(({ url }) => !isHashed(new URL(url).pathname));
  await Promise.all(pages.map((request) => cache.delete(request)));
}

function onMessage({ data, ports: [port] }: ExtendableMessageEvent): Promise<void> {
  const message: WorkerMessage = data;
  switch (message.ask) {
    case 'skip-waiting':
      return self.skipWaiting();
    case 'drop-pages':
      return dropPages();
    case 'offline-state':
      return offlineState().then((state) => answer(port, 'offline-state', state));
    case 'store':
      return storeModules(message).catch(() => undefined);
    case 'shared-files':
      return Promise.resolve(answer(port, 'shared-files', shared.splice(0)));
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
  const response = isHashed(pathname) ? cacheFirst(request) : networkFirst(request);
  event.respondWith(response);
  // Without the network, or without room, the module stays as it was.
  event.waitUntil(response.then(() => storeModules({ used: [pathname], isIdle: false })).catch(() => undefined));
});
