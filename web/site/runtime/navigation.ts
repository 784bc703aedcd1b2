// Goes from page to page without leaving the document, as long as that works; else it leaves. The only writer of the
// history. What happens on the screen after a step (scroll, focus, announcement) is for the frame: see arrival.ts.

import { type Readable, Signal } from '../../app/state/signal.ts';
import type { Browser } from './browser.ts';
import type { LoadedPage, Loader } from './loader.ts';
import { pathOf, tidy } from './paths.ts';
import type { ScrollMemory } from './scroll.ts';

const DELAY_NOTICE_MS = 1000;

/** How the reader came to see what is on the screen. */
export type Arrival =
  | { readonly by: 'start'; readonly scrollTo: number | null }
  | { readonly by: 'link' }
  | { readonly by: 'history'; readonly scrollTo: number | null };

export interface Place {
  readonly page: LoadedPage;
  /** Path, query and fragment. */
  readonly href: string;
  /** Counts the steps, so that a second step to the same address is one. */
  readonly step: number;
  readonly arrival: Arrival;
}

export interface NavigationOptions {
  readonly browser: Browser;
  readonly loader: Pick<Loader, 'load' | 'known'>;
  readonly scroll: ScrollMemory;
  /** The build that this document is from. */
  readonly build: string;
  /** Whether leaving the document would lose images. */
  readonly hasImages: () => boolean;
  /** Whether a new service worker waits to take over. */
  readonly isWorkerWaiting: () => boolean;
  readonly dropPages: () => void;
  readonly announceUpdate: () => void;
}

export class Navigation {
  readonly #options: NavigationOptions;
  readonly #place: Signal<Place>;
  readonly #isSlow = new Signal(false);
  #entry: string;
  #target: string;
  /** The latest step; an answer to an earlier one comes too late. */
  #step = 0;

  constructor(options: NavigationOptions, page: LoadedPage) {
    const { browser, scroll } = options;
    const href = named(browser.href(), page);
    this.#options = options;
    this.#target = href;
    this.#entry = browser.entry() || newEntry();
    browser.replace(href, this.#entry);
    const arrival: Arrival = { by: 'start', scrollTo: scroll.of(this.#entry) };
    this.#place = new Signal<Place>({ page, href, step: 0, arrival });
  }

  get place(): Readable<Place> {
    return this.#place;
  }

  /** True from one second after a step that has not yet brought its page. */
  get isSlow(): Readable<boolean> {
    return this.#isSlow;
  }

  /** Where the last step went, whether or not it has arrived. */
  readonly target = (): string => this.#target;

  /** Replaces the page by the same one in another language; the reader stays where he is. */
  swap(page: LoadedPage): void {
    this.#place.set({ ...this.#place.get(), page });
  }

  /** Follows a link. */
  async go(href: string): Promise<void> {
    const { browser, scroll } = this.#options;
    const page = await this.#fetch(href);
    if (page === null) return;
    scroll.save(this.#entry, browser.scrollY());
    const address = named(href, page);
    if (address === browser.href()) {
      browser.replace(address, this.#entry);
    } else {
      this.#entry = newEntry();
      browser.push(address, this.#entry);
    }
    this.#show(page, address, { by: 'link' });
  }

  /** The reader went back or forward; the address bar already says where to. */
  async restore(): Promise<void> {
    const { browser, scroll } = this.#options;
    scroll.save(this.#entry, browser.scrollY());
    this.#entry = browser.entry() || newEntry();
    const href = browser.href();
    const entry = this.#entry;
    const page = await this.#fetch(href);
    if (page !== null) this.#show(page, href, { by: 'history', scrollTo: scroll.of(entry) });
  }

  /** Keeps the place of reading for a reload. */
  rememberScroll(): void {
    this.#options.scroll.save(this.#entry, this.#options.browser.scrollY());
  }

  #show(page: LoadedPage, href: string, arrival: Arrival): void {
    this.#place.set({ page, href, step: this.#step, arrival });
  }

  /** The page for an address, or null where the document is left instead or another step has overtaken this one. */
  async #fetch(href: string): Promise<LoadedPage | null> {
    const { browser, loader, hasImages, isWorkerWaiting } = this.#options;
    this.#target = href;
    this.#step++;
    const step = this.#step;
    this.#isSlow.set(false);

    const here = this.#place.get();
    if (pathOf(href) === pathOf(here.href)) return here.page;
    if (isWorkerWaiting() && !hasImages()) {
      browser.leave(href);
      return null;
    }
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
    return this.#isOutdated(result.page) && this.#leaveForUpdate(href) ? null : result.page;
  }

  #isOutdated({ build }: LoadedPage): boolean {
    return build !== null && build !== this.#options.build;
  }

  /** @returns whether the document is left; with unsaved images it stays and says that there is an update */
  #leaveForUpdate(href: string): boolean {
    const { browser, dropPages, hasImages, announceUpdate } = this.#options;
    dropPages();
    if (!hasImages()) {
      browser.leave(href);
      return true;
    }
    announceUpdate();
    return false;
  }
}

/** A page that was found goes by its own name; one that stands in for another keeps the address that was asked for. */
function named(href: string, { data }: LoadedPage): string {
  return data.path === pathOf(href) ? tidy(href) : href;
}

function newEntry(): string {
  return Math.random().toString(36).slice(2, 10);
}
