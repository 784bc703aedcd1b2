// Client-side navigation: shows another page without leaving the document, or leaves the document if that fails. Only
// this module writes the history, but for the entry of an open settings sheet (app/settings-sheet/open-sheet.ts).
// Scrolling, focus and announcement happen in the frame: see route-effects.tsx.

import { type Readable, Signal } from '../../app/state/signal.ts';
import type { Browser } from './browser.ts';
import type { LoadedPage, Loader } from './loader.ts';
import { canonicalHref, pathOf } from './paths.ts';
import type { ScrollMemory } from './scroll.ts';
import type { UpdatePolicy } from './update-policy.ts';

const DELAY_NOTICE_MS = 1000;

/** The way in which the current page was reached. */
export type Arrival =
  | { readonly by: 'start'; readonly scrollTo: number | null }
  | { readonly by: 'link' }
  | { readonly by: 'history'; readonly scrollTo: number | null };

export interface CurrentRoute {
  readonly page: LoadedPage;
  /** Path, query and fragment. */
  readonly href: string;
  /** The number of the navigation; it distinguishes two navigations to the same address. */
  readonly step: number;
  readonly arrival: Arrival;
}

export interface NavigationOptions {
  readonly browser: Browser;
  readonly loader: Pick<Loader, 'load' | 'known'>;
  readonly scroll: ScrollMemory;
  readonly updates: Pick<UpdatePolicy, 'leaveForWorker' | 'leaveForBuild'>;
}

export class Navigation {
  readonly #options: NavigationOptions;
  readonly #route: Signal<CurrentRoute>;
  readonly #isSlow = new Signal(false);
  #entry: string;
  #target: string;
  /** The number of the latest navigation. Pages of earlier navigations are not shown. */
  #step = 0;

  constructor(options: NavigationOptions, page: LoadedPage) {
    const { browser, scroll } = options;
    const href = shownAddress(browser.href(), page);
    this.#options = options;
    this.#target = href;
    this.#entry = browser.entry() || newEntry();
    browser.replace(href, this.#entry);
    const arrival: Arrival = { by: 'start', scrollTo: scroll.of(this.#entry) };
    this.#route = new Signal<CurrentRoute>({ page, href, step: 0, arrival });
  }

  get route(): Readable<CurrentRoute> {
    return this.#route;
  }

  /** True while a page takes longer than a second to load. */
  get isSlow(): Readable<boolean> {
    return this.#isSlow;
  }

  /** Returns the address of the last navigation, finished or not. */
  readonly target = (): string => this.#target;

  /** Replaces the page by its version in another language; scroll position and focus stay. */
  swap(page: LoadedPage): void {
    this.#route.set({ ...this.#route.get(), page });
  }

  /** Follows a link. */
  async go(href: string): Promise<void> {
    const { browser, scroll } = this.#options;
    const page = await this.#fetch(href);
    if (page === null) return;
    scroll.save(this.#entry, browser.scrollY());
    const address = shownAddress(href, page);
    if (address === browser.href()) {
      browser.replace(address, this.#entry);
    } else {
      this.#entry = newEntry();
      browser.push(address, this.#entry);
    }
    this.#show(page, address, { by: 'link' });
  }

  /** Follows the browser's back or forward. The address bar already has the new address. */
  async restore(): Promise<void> {
    const { browser, scroll } = this.#options;
    scroll.save(this.#entry, browser.scrollY());
    this.#entry = browser.entry() || newEntry();
    const href = browser.href();
    const entry = this.#entry;
    const page = await this.#fetch(href);
    if (page !== null) this.#show(page, href, { by: 'history', scrollTo: scroll.of(entry) });
  }

  /** Stores the scroll position for a reload. */
  rememberScroll(): void {
    this.#options.scroll.save(this.#entry, this.#options.browser.scrollY());
  }

  #show(page: LoadedPage, href: string, arrival: Arrival): void {
    this.#route.set({ page, href, step: this.#step, arrival });
  }

  /** Loads the page of an address. Returns null if the document is left or a newer navigation has started. */
  async #fetch(href: string): Promise<LoadedPage | null> {
    const { browser, loader, updates } = this.#options;
    this.#target = href;
    this.#step++;
    const step = this.#step;
    this.#isSlow.set(false);

    const here = this.#route.get();
    if (pathOf(href) === pathOf(here.href)) return here.page;
    if (updates.leaveForWorker(href)) return null;
    const timer = setTimeout(() => {
      if (step === this.#step) this.#isSlow.set(true);
    }, DELAY_NOTICE_MS);
    const result = await loader.load(href);
    clearTimeout(timer);
    if (step !== this.#step) return null;
    this.#isSlow.set(false);
    if (result.status === 'error') {
      browser.replace(browser.href(), this.#entry);
      browser.leave(href);
      return null;
    }
    return updates.leaveForBuild(href, result.page.build) ? null : result.page;
  }
}

/** Returns the address to show: the canonical one of a found page, the requested one for an error page. */
function shownAddress(href: string, { data }: LoadedPage): string {
  return data.path === pathOf(href) ? canonicalHref(href) : href;
}

function newEntry(): string {
  return Math.random().toString(36).slice(2, 10);
}
