// Brings a page to life: the HTML holds the page's data, so nothing is asked of the server before that.

import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import '../styles/index.css';
import { Signal } from '../app/state/signal.ts';
import { site } from './config.ts';
import { hasImages } from './has-images.ts';
import { addLaunchFiles } from './launch-files.ts';
import { selectLocale } from './locales.ts';
import type { BootData } from './page-data.ts';
import { importPage } from './pages/index.ts';
import { browserOf } from './runtime/browser.ts';
import { checkBuild } from './runtime/build-check.ts';
import { whenIdle } from './runtime/idle.ts';
import { Loader } from './runtime/loader.ts';
import { Navigation } from './runtime/navigation.ts';
import { createNetwork } from './runtime/network.ts';
import { asksForPrivacy, pageViewHook } from './runtime/page-view.ts';
import { hrefOf, pathOf } from './runtime/paths.ts';
import { PrefetchQueue, type Reader } from './runtime/prefetch.ts';
import { forgetRecovery, recoverer } from './runtime/recovery.ts';
import { createScrollMemory } from './runtime/scroll.ts';
import { tolerant } from './runtime/storage.ts';
import { mayRegister, type OfflineState, WorkerLink } from './runtime/worker-registration.ts';
import type { Runtime } from './runtime-context.ts';
import { LiveSite } from './site.tsx';

/** Chromium only, and not in TypeScript yet. */
declare global {
  var launchQueue:
    | { setConsumer: (take: (launch: { files: readonly FileSystemFileHandle[] }) => void) => void }
    | undefined;
}

const session = tolerant(() => sessionStorage);
const browser = browserOf(window);
const worker = 'serviceWorker' in navigator ? new WorkerLink(navigator.serviceWorker) : null;
const updateReady = new Signal(false);
const offline = new Signal<OfflineState>({ bytes: null });
const announceUpdate = () => updateReady.set(true);
const dropPages = () => worker?.dropPages();

/** Leaves the document, and lets a new service worker take over on the way. */
function leave(href: string): void {
  if (worker === null) browser.leave(href);
  else worker.takeOverThen(() => browser.leave(href));
}

function bootData(): BootData {
  const text = document.getElementById('boot')?.textContent;
  if (typeof text !== 'string') throw new Error('the page came without its data');
  return JSON.parse(text);
}

function ownBuild(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? '';
}

function createLoader(): Loader {
  return new Loader({
    network: createNetwork((input, init) => fetch(input, init)),
    importPage,
    localeFor: (pageLocale) => selectLocale(pageLocale, navigator.language),
  });
}

function createRuntime(navigation: Navigation, loader: Loader): Runtime {
  const queue = new PrefetchQueue({
    reader: navigator as Reader,
    isKnown: (path) => loader.known(path) !== undefined,
    prefetch: (href) => loader.prefetch(href),
    whenIdle,
  });
  return {
    navigation,
    updateReady,
    offline,
    reload: () => {
      if (worker === null) browser.reload();
      else worker.takeOverThen(browser.reload);
    },
    seen: (href) => queue.request(href),
    hovered: (href) => {
      // Else the click is a full load, which has no use for it.
      if (worker?.isWaiting() !== true) void loader.load(href);
    },
  };
}

/** What happens around the page for as long as it is open. */
function listen(navigation: Navigation): void {
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => void navigation.restore());
  window.addEventListener('pagehide', () => navigation.rememberScroll());
  const recover = recoverer({ session, lastHref: navigation.target, hasImages, leave, announceUpdate });
  window.addEventListener('unhandledrejection', ({ reason }) => recover(reason));
  navigation.place.subscribe(() => forgetRecovery(session));
}

/** A page without a language of its own comes in English and turns to the reader's. */
async function turnToReader(navigation: Navigation, loader: Loader): Promise<void> {
  const { page, step } = navigation.place.get();
  if (page.locale === selectLocale(page.data.locale, navigator.language)) return;
  const result = await loader.load(hrefOf(page.data.path));
  if (result.status === 'ready' && navigation.place.get().step === step) navigation.swap(result.page);
}

function countPageViews(navigation: Navigation): void {
  const count = pageViewHook({
    analytics: site.analytics,
    isRefused: asksForPrivacy(navigator),
    send: (url) => void fetch(hrefOf(url), { keepalive: true }).catch(() => undefined),
  });
  let counted = '';
  const look = () => {
    const { href, page } = navigation.place.get();
    const path = pathOf(href);
    // Another part or another language of the same page is no other page.
    if (path === counted) return;
    counted = path;
    count({ path: page.data.path, locale: page.locale });
  };
  look();
  navigation.place.subscribe(look);
}

/** Images that the installed app was opened with, or that another app has shared with it. */
async function takeFromOutside(asked: WorkerLink | null): Promise<void> {
  globalThis.launchQueue?.setConsumer(({ files }) => {
    void Promise.all(files.map((handle) => handle.getFile())).then(addLaunchFiles);
  });
  if (asked === null || !location.search.startsWith('?shared')) return;
  addLaunchFiles((await asked.ask<File[]>({ ask: 'shared-files' })) ?? []);
}

/** The page itself comes first: storing the site for offline use would take its line and its processor. */
function whenLoaded(): Promise<void> {
  const loaded = new Promise<void>((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });
  return loaded.then(() => new Promise((resolve) => whenIdle(resolve)));
}

async function startWorker(): Promise<void> {
  if (worker === null || !site.serviceWorker || import.meta.env.DEV || !mayRegister(location)) return;
  await whenLoaded();
  // Firefox rejects every question where the reader has blocked storage.
  const registered = await worker.register();
  await takeFromOutside(registered ? worker : null);
  if (!registered) return;
  const state = await worker.ask<OfflineState>({ ask: 'offline-state' });
  if (state !== null) offline.set(state);
}

async function start(): Promise<void> {
  const boot = bootData();
  const build = ownBuild();
  const loader = createLoader();
  const Component = await importPage(boot.page.page);
  const page = { data: boot.page, locale: boot.locale, queries: boot.queries, Component, build };
  loader.adopt(page);
  if (boot.page.path !== pathOf(browser.href())) loader.adopt(page, pathOf(browser.href()));

  const scroll = createScrollMemory(session);
  const options = {
    browser: { ...browser, leave },
    loader,
    scroll,
    build,
    hasImages,
    isWorkerWaiting: worker?.isWaiting ?? (() => false),
    dropPages,
    announceUpdate,
  };
  const navigation = new Navigation(options, page);
  listen(navigation);
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no root');
  const runtime = createRuntime(navigation, loader);
  const onRecoverableError = (error: unknown) => {
    performance.mark('site:not-as-rendered');
    reportError(error);
  };
  // In a transition React lets the browser answer in between: 80 ms of blocking instead of 400 on Lighthouse's phone.
  startTransition(() => {
    hydrateRoot(root, <LiveSite runtime={runtime} builtIn={boot.year} />, { onRecoverableError });
  });

  const currentBuild = () => loader.currentBuild();
  const reload = () => browser.reload();
  void checkBuild({ build, currentBuild, session, hasImages, reload, dropPages, announceUpdate });
  await turnToReader(navigation, loader);
  countPageViews(navigation);
  await startWorker();
}

void start();
