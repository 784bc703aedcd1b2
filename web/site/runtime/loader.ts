// Loads pages: the data file, the shared data in the visitor's language, the chunk, and the server's current build.
// Loaded pages stay in memory. navigation.ts shows them.

import type { ComponentType } from 'react';
import type { Locale } from '../locales.ts';
import type { AppData, PageData, PageName, Queries } from '../page-data.ts';
import type { Network } from './network.ts';
import { appDataUrl, NOT_FOUND_PATH, pageDataUrl, pathOf, queryUrl, SERVER_ERROR_PATH } from './paths.ts';

const RETRIES = 3;

export interface PageProps {
  readonly locale: Locale;
  readonly page: PageData;
  readonly queries: Queries;
}

export type PageComponent = ComponentType<PageProps>;

export interface LoadedPage {
  readonly data: PageData;
  readonly locale: Locale;
  readonly queries: Queries;
  readonly Component: PageComponent;
  /** The server's build when the page was loaded; null if unknown. */
  readonly build: string | null;
}

export type PageResult =
  | { readonly status: 'ready'; readonly page: LoadedPage }
  | { readonly status: 'error'; readonly cause: unknown };

/** A page's data file, or the data file of the error page that is shown instead. */
type FoundData =
  | { readonly found: 'page' | 'not-found' | 'server-error'; readonly data: PageData }
  | { readonly found: 'error' };

export interface LoaderOptions {
  readonly network: Network;
  readonly importPage: (name: PageName) => Promise<PageComponent>;
  readonly localeFor: (pageLocale: Locale | null) => Locale;
}

function isPageData(json: unknown): json is PageData {
  return typeof json === 'object' && json !== null && 'path' in json && typeof json.path === 'string' && 'page' in json;
}

function isAppData(json: unknown): json is AppData {
  return typeof json === 'object' && json !== null && 'build' in json && typeof json.build === 'string';
}

export class Loader {
  readonly #network: Network;
  readonly #importPage: LoaderOptions['importPage'];
  readonly #localeFor: LoaderOptions['localeFor'];
  readonly #pages = new Map<string, LoadedPage>();
  readonly #data = new Map<string, FoundData>();
  readonly #queries = new Map<string, unknown>();
  readonly #loading = new Map<string, Promise<PageResult>>();

  constructor({ network, importPage, localeFor }: LoaderOptions) {
    this.#network = network;
    this.#importPage = importPage;
    this.#localeFor = localeFor;
  }

  /** Adds the page whose data the HTML contains. */
  adopt(page: LoadedPage, path = page.data.path): void {
    this.#data.set(path, { found: 'page', data: page.data });
    if (page.locale === this.#localeFor(page.data.locale)) this.#pages.set(path, page);
  }

  /** Returns the page if it is in memory. */
  known(href: string): LoadedPage | undefined {
    return this.#pages.get(pathOf(href));
  }

  load(href: string): Promise<PageResult> {
    const path = pathOf(href);
    const page = this.#pages.get(path);
    if (page !== undefined) return Promise.resolve({ status: 'ready', page });
    const loading = this.#loading.get(path) ?? this.#loadPage(href, path).finally(() => this.#loading.delete(path));
    this.#loading.set(path, loading);
    return loading;
  }

  /** Loads everything of a page except the server's build, which the navigation requests. */
  async prefetch(href: string): Promise<void> {
    const found = await this.#findData(href, pathOf(href));
    if (found.found !== 'page') return;
    await Promise.all([this.#importPage(found.data.page), this.#loadQueries(found.data)]).catch(() => undefined);
  }

  /** Returns the server's current build, or null if it is unknown after three retries. */
  async currentBuild(): Promise<string | null> {
    for (let retry = 0; retry <= RETRIES; retry++) {
      const { status, json } = await this.#network.get(appDataUrl());
      if (status === 200) return isAppData(json) ? json.build : null;
    }
    return null;
  }

  async #loadPage(href: string, path: string): Promise<PageResult> {
    const [build, found] = await Promise.all([this.currentBuild(), this.#findData(href, path)]);
    if (found.found === 'error') return { status: 'error', cause: `no data for ${path}` };
    const { data } = found;
    try {
      const [Component, queries] = await Promise.all([this.#importPage(data.page), this.#loadQueries(data)]);
      const page = { data, locale: this.#localeFor(data.locale), queries, Component, build };
      // Not cached: the server may have recovered by the next visit.
      if (found.found !== 'server-error') this.#pages.set(path, page);
      return { status: 'ready', page };
    } catch (cause) {
      return { status: 'error', cause };
    }
  }

  /** Returns the data of a page, from the cache or the server. If there is none, a HEAD request checks the address. */
  async #findData(href: string, path: string): Promise<FoundData> {
    const known = this.#data.get(path);
    if (known !== undefined) return known;
    const found = await this.#fetchData(path, 'page');
    if (found.found === 'page') this.#data.set(path, found);
    if (found.found !== 'not-found' || href.startsWith('//')) return found;
    // The address may be a file that is not a page of the site; the error makes the browser load it.
    const status = await this.#network.head(href.replace(/[?#].*$/s, ''));
    return status === 200 ? { found: 'error' } : found;
  }

  async #fetchData(path: string, found: 'page' | 'not-found' | 'server-error'): Promise<FoundData> {
    const isFallback = path === NOT_FOUND_PATH || path === SERVER_ERROR_PATH;
    for (let retry = 0; retry <= RETRIES; retry++) {
      const { status, json } = await this.#network.get(pageDataUrl(path));
      if (status === 200 && isPageData(json)) return { found, data: json };
      if (status === 200 || status === 404) {
        return isFallback ? { found: 'error' } : this.#fetchData(NOT_FOUND_PATH, 'not-found');
      }
      if (status === 500) return isFallback ? { found: 'error' } : this.#fetchData(SERVER_ERROR_PATH, 'server-error');
    }
    return { found: 'error' };
  }

  async #loadQueries(data: PageData): Promise<Queries> {
    const hashes = Object.entries(data.queries[this.#localeFor(data.locale)] ?? {});
    const loaded = await Promise.all(hashes.map(async ([name, hash]) => [name, await this.#query(hash)]));
    return Object.fromEntries(loaded);
  }

  async #query(hash: string): Promise<unknown> {
    const known = this.#queries.get(hash);
    if (known !== undefined) return known;
    const { status, json } = await this.#network.get(queryUrl(hash));
    if (status !== 200 || json === undefined) throw new Error(`no shared data ${hash}: ${status}`);
    this.#queries.set(hash, json);
    return json;
  }
}
