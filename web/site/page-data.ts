// The types of a page's data files. The build writes these files, and the loader reads them.

import type { CompiledMessages } from '../i18n/messages.ts';
import type { Node, Notice, PolicyText, Question } from './content.ts';
import type { Locale } from './locales.ts';

export type PageName = 'home' | 'privacy' | 'licences' | 'not-found' | 'server-error';

/** The file `/page-data/<path>/page-data.json`. */
export interface PageData {
  readonly path: string;
  readonly page: PageName;
  /** Null if the page is shown in the visitor's language. */
  readonly locale: Locale | null;
  /**
   * For each language of the page, the hashes of the shared data that it needs: `/page-data/sq/d/<hash>.json`.
   */
  readonly queries: Readonly<Partial<Record<Locale, QueryHashes>>>;
}

/** The file `/page-data/app-data.json`. */
export interface AppData {
  readonly build: string;
}

/** The contents of the shared data files. */
export interface Queries {
  readonly messages: CompiledMessages;
  readonly faq?: readonly Question[];
  readonly policy?: PolicyText;
  /** The text above the notices. */
  readonly introduction?: readonly Node[];
  readonly notices?: readonly Notice[];
}

export type QueryName = keyof Queries;
export type QueryHashes = Readonly<Partial<Record<QueryName, string>>>;

/** The data in the HTML. With it, the first page needs no request before hydration. */
export interface BootData {
  readonly page: PageData;
  readonly locale: Locale;
  readonly queries: Queries;
  /** The year in the HTML. */
  readonly year: number;
}
