// What the build knows of the site's own code. A file of its own, since scripts have no DOM and cannot look into
// components.

import type { CompiledMessages } from '../i18n/messages.ts';
import type { SiteConfig } from './config.ts';
import type { Locale } from './locales.ts';
import type { PageData, Queries } from './page-data.ts';
import type { Route } from './routes.ts';

/** What a page's HTML brings along beside its content. */
export interface Assets {
  /** The entry, and all other scripts that the page will need, so that the browser fetches them together. */
  readonly scripts: readonly string[];
  /** The style sheet itself, which stands in the page. */
  readonly sheet: string;
}

export interface Rendering {
  readonly data: PageData;
  readonly locale: Locale;
  readonly queries: Queries;
  readonly year: number;
  readonly assets: Assets;
  /** For hosts that send no headers; null while developing, where the bundler adds scripts of its own. */
  readonly policy: string | null;
}

export interface Renderer {
  readonly site: SiteConfig;
  readonly routes: readonly Route[];
  readonly locales: readonly Locale[];
  readonly defaultLocale: Locale;
  readonly localesOf: (route: Route) => readonly Locale[];
  /** The scripts that stand in each page's HTML. */
  readonly inlineScripts: readonly string[];
  readonly hrefOf: (path: string) => string;
  readonly pageDataUrl: (path: string) => string;
  readonly appDataUrl: () => string;
  readonly queryUrl: (hash: string) => string;
  /** @returns the document of a build that is not yet known */
  readonly renderPage: (rendering: Rendering) => Promise<(build: string) => string>;
  readonly manifestPath: (locale: Locale) => string;
  readonly manifestIn: (locale: Locale, messages: CompiledMessages) => object;
  readonly robots: () => string;
  readonly sitemap: () => string;
}
