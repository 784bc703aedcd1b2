// The shapes of the data files that a page is made of. The build writes them, the loader reads them.

import type { CompiledMessages } from '../i18n/messages.ts';
import type { PolicyText, Question } from './content.ts';
import type { Locale } from './locales.ts';

export type PageName = 'home' | 'privacy' | 'not-found' | 'server-error';

/** `/page-data/<path>/page-data.json` */
export interface PageData {
  readonly path: string;
  readonly page: PageName;
  /** Null: the reader's own language. */
  readonly locale: Locale | null;
  /** For each language that the page can show, the hashes of the shared data it needs: `/page-data/sq/d/<hash>.json`. */
  readonly queries: Readonly<Partial<Record<Locale, QueryHashes>>>;
}

/** `/page-data/app-data.json` */
export interface AppData {
  readonly build: string;
}

/** What the shared data files hold. */
export interface Queries {
  readonly messages: CompiledMessages;
  readonly faq?: readonly Question[];
  readonly policy?: PolicyText;
}

export type QueryName = keyof Queries;
export type QueryHashes = Readonly<Partial<Record<QueryName, string>>>;

/** What stands in the HTML, so that the first page needs no request before it comes alive. */
export interface BootData {
  readonly page: PageData;
  readonly locale: Locale;
  readonly queries: Queries;
  /** The year that the HTML says. */
  readonly year: number;
}
