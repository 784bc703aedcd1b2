// The pages of the site. The build renders them; the runtime finds them through their data files.

import { LOCALE_NAMES, LOCALES, type Locale } from './locales.ts';
import type { PageName } from './page-data.ts';

export interface Route {
  readonly path: string;
  readonly page: PageName;
  readonly locale: Locale | null;
  /** Whether the site map contains the page. */
  readonly listed: boolean;
}

export const PRIVACY_PATH = '/privacy-policy/';
export const LICENCES_PATH = '/licenses/';

export const ROUTES: readonly Route[] = [
  { path: '/', page: 'home', locale: null, listed: true },
  ...LOCALE_NAMES.map((locale): Route => ({ path: LOCALES[locale].path, page: 'home', locale, listed: true })),
  { path: PRIVACY_PATH, page: 'privacy', locale: null, listed: true },
  { path: LICENCES_PATH, page: 'licences', locale: null, listed: true },
  { path: '/404.html', page: 'not-found', locale: null, listed: false },
  { path: '/500.html', page: 'server-error', locale: null, listed: false },
];

/** Returns the languages that a page can have. */
export function localesOf({ locale }: Route): readonly Locale[] {
  return locale === null ? LOCALE_NAMES : [locale];
}
