// Hydrates a page and starts the runtime. The HTML contains the page's data, so hydration needs no request.

import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import '../styles/index.css';
import { safeStorage } from '../app/state/safe-storage.ts';
import { Signal } from '../app/state/signal.ts';
import { whenIdle } from '../engine/page/idle.ts';
import { site } from './config.ts';
import { hasImages } from './has-images.ts';
import { addLaunchFiles, listenForLaunchFiles } from './launch-files.ts';
import { selectLocale } from './locales.ts';
import type { BootData } from './page-data.ts';
import { importPage } from './pages/index.ts';
import { browserOf } from './runtime/browser.ts';
import { Loader } from './runtime/loader.ts';
import { Navigation } from './runtime/navigation.ts';
import { createNetwork } from './runtime/network.ts';
import { pageViewHook, refusesTracking } from './runtime/page-view.ts';
import { hrefOf, pathOf } from './runtime/paths.ts';
import { PrefetchQueue, type Visitor } from './runtime/prefetch.ts';
import { createScrollMemory } from './runtime/scroll.ts';
import { UpdatePolicy } from './runtime/update-policy.ts';
import { mayRegister, WorkerLink } from './runtime/worker-registration.ts';
import type { Runtime } from './runtime-context.ts';
import { type OfflineState, SHARED_QUERY } from './service-worker-protocol.ts';
import { LiveSite } from './site.tsx';

const session = safeStorage(() => sessionStorage);
const browser = browserOf(window);
const worker = 'serviceWorker' in navigator ? new WorkerLink(navigator.serviceWorker) : null;
const updateReady = new Signal(false);
const offline = new Signal<OfflineState>({ bytes: null, missing: [] });

const build = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? '';
const loader = new Loader({
  network: createNetwork((input, init) => fetch(input, init)),
  importPage,
  localeFor: (pageLocale) => selectLocale(pageLocale, navigator.language),
});
const updates = new UpdatePolicy({
  build,
  session,
  hasImages,
  isWorkerWaiting: worker?.isWaiting ?? (() => false),
  dropPages: () => worker?.dropPages(),
  announceUpdate: () => updateReady.set(true),
  leave,
  reload: browser.reload,
});

/** Leaves the document, after a waiting service worker has taken over. */
function leave(href: string): void {
  takeOverThen(() => browser.leave(href));
}

function takeOverThen(act: () => void): void {
  if (worker === null) act();
  else worker.takeOverThen(act);
}

function bootData(): BootData {
  const text = document.getElementById('boot')?.textContent;
  if (typeof text !== 'string') throw new Error('the page has no #boot data');
  return JSON.parse(text);
}

function createRuntime(navigation: Navigation): Runtime {
  const queue = new PrefetchQueue({
    visitor: navigator as Visitor,
    isKnown: (path) => loader.known(path) !== undefined,
    prefetch: (href) => loader.prefetch(href),
    whenIdle,
  });
  return {
    navigation,
    updateReady,
    offline,
    reload: () => takeOverThen(browser.reload),
    linkShown: (href) => queue.request(href),
    linkHovered: (href) => {
      // While a service worker waits, the click leaves the document, so the loaded page would not be used.
      if (worker?.isWaiting() !== true) void loader.load(href);
    },
  };
}

/** Registers the listeners that stay for the whole visit. */
function listen(navigation: Navigation): void {
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => void navigation.restore());
  window.addEventListener('pagehide', () => navigation.rememberScroll());
  window.addEventListener('unhandledrejection', ({ reason }) => updates.recover(reason, navigation.target()));
  navigation.route.subscribe(() => updates.pageReached());
}

/** Shows a page without a fixed language in the visitor's language; its HTML is English. */
async function applyVisitorLocale(navigation: Navigation): Promise<void> {
  const { page, step } = navigation.route.get();
  if (page.locale === selectLocale(page.data.locale, navigator.language)) return;
  const result = await loader.load(hrefOf(page.data.path));
  if (result.status === 'ready' && navigation.route.get().step === step) navigation.swap(result.page);
}

function countPageViews(navigation: Navigation): void {
  const count = pageViewHook({
    analytics: site.analytics,
    isRefused: refusesTracking(navigator),
    send: (url) => void fetch(hrefOf(url), { keepalive: true }).catch(() => undefined),
  });
  let counted = '';
  const countNew = () => {
    const { href, page } = navigation.route.get();
    const path = pathOf(href);
    // A change of the fragment or of the language is not a new page view.
    if (path === counted) return;
    counted = path;
    count({ path: page.data.path, locale: page.locale });
  };
  countNew();
  navigation.route.subscribe(countNew);
}

async function startWorker(): Promise<void> {
  if (worker === null || !site.serviceWorker || import.meta.env.DEV || !mayRegister(location)) return;
  // Storing the site for offline use must not delay the page.
  await new Promise<void>((resolve) => whenIdle(resolve));
  // If the visitor has blocked storage, Firefox rejects every message to the worker.
  const registered = await worker.register();
  listenForLaunchFiles();
  if (!registered) return;
  if (location.search.startsWith(SHARED_QUERY)) addLaunchFiles((await worker.ask('shared-files')) ?? []);
  worker.listen((news) => offline.set(news.offline));
  const state = await worker.ask('offline-state');
  if (state !== null) offline.set(state);
  await worker.store((navigator as Visitor).connection?.saveData !== true);
}

async function start(): Promise<void> {
  const boot = bootData();
  const Component = await importPage(boot.page.page);
  const page = { data: boot.page, locale: boot.locale, queries: boot.queries, Component, build };
  loader.adopt(page);
  if (boot.page.path !== pathOf(browser.href())) loader.adopt(page, pathOf(browser.href()));

  const scroll = createScrollMemory(session);
  const navigation = new Navigation({ browser: { ...browser, leave }, loader, scroll, updates }, page);
  listen(navigation);
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  const runtime = createRuntime(navigation);
  const onRecoverableError = (error: unknown) => {
    performance.mark('site:not-as-rendered');
    reportError(error);
  };
  // In a transition React yields to the browser: blocking takes 80 ms instead of 400 with Lighthouse's phone settings.
  startTransition(() => {
    hydrateRoot(root, <LiveSite runtime={runtime} builtIn={boot.year} />, { onRecoverableError });
  });

  void updates.checkAtStart(() => loader.currentBuild());
  await applyVisitorLocale(navigation);
  countPageViews(navigation);
  await startWorker();
}

void start();
