// The interface between the build scripts and the site. It is a file of its own because scripts are checked without the
// DOM types, which components need.

import type { CompiledMessages } from '../i18n/messages.ts';
import type { SiteConfig } from './config.ts';
import type { Locale } from './locales.ts';
import type { PageData, Queries } from './page-data.ts';
import type { Route } from './routes.ts';
import type { FormatUse } from './service-worker-protocol.ts';

/** The scripts and styles of a page's HTML. */
export interface PageAssets {
  /** The entry and all other scripts of the page, so that the browser loads them in parallel. */
  readonly scripts: readonly string[];
  /** The text of the style sheet, which is put into the HTML. */
  readonly sheet: string;
}

export interface Rendering {
  readonly data: PageData;
  readonly locale: Locale;
  readonly queries: Queries;
  readonly year: number;
  readonly assets: PageAssets;
  /** The policy for hosts that cannot send headers; null during development, where the bundler adds its own scripts. */
  readonly policy: string | null;
}

export interface Renderer {
  readonly site: SiteConfig;
  readonly routes: readonly Route[];
  readonly locales: readonly Locale[];
  readonly defaultLocale: Locale;
  readonly localesOf: (route: Route) => readonly Locale[];
  /** The inline scripts of every page. */
  readonly inlineScripts: readonly string[];
  readonly hrefOf: (path: string) => string;
  readonly pageDataUrl: (path: string) => string;
  readonly appDataUrl: () => string;
  readonly queryUrl: (hash: string) => string;
  /** Renders a page. Returns a function from the id of the build, which is known last, to the document. */
  readonly renderPage: (rendering: Rendering) => Promise<(build: string) => string>;
  /** What a wasm module is needed for. */
  readonly usesOf: (module: string) => readonly FormatUse[];
  readonly manifestPath: (locale: Locale) => string;
  readonly manifestIn: (locale: Locale, messages: CompiledMessages) => object;
  readonly robots: () => string;
  readonly sitemap: () => string;
}
