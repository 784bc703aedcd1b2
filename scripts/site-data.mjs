// @ts-check
// The data files that the runtime of the site loads: shared data by hash, and for each page the hashes that it needs.
import { createHash } from 'node:crypto';
import { readFaq, readPolicy, readText } from './content.mjs';
import { pageMessages } from './messages.mjs';

/** @typedef {import('../web/site/locales.ts').Locale} Locale */
/** @typedef {import('../web/site/page-data.ts').PageData} PageData */
/** @typedef {import('../web/site/page-data.ts').PageName} PageName */
/** @typedef {import('../web/site/page-data.ts').QueryHashes} QueryHashes */
/** @typedef {import('../web/site/page-data.ts').QueryName} QueryName */
/** @typedef {import('../web/site/page-data.ts').Queries} Queries */
/** @typedef {import('../web/site/routes.ts').Route} Route */
/** @typedef {{ route: Route, data: PageData, queriesIn: (locale: Locale) => Queries }} SitePage */
/** @typedef {{ pages: SitePage[], shared: Map<string, string> }} SiteData `shared`: JSON text by its hash */

/**
 * @typedef {object} SiteSources
 * @property {readonly Route[]} routes
 * @property {(route: Route) => readonly Locale[]} localesOf
 * @property {import('./content.mjs').Facts} facts
 * @property {import('../web/site/content.ts').Notice[]} notices
 */

/** @type {Record<PageName, QueryName[]>} */
const needs = {
  home: ['messages', 'faq'],
  privacy: ['messages', 'policy'],
  licences: ['messages', 'introduction', 'notices'],
  'not-found': ['messages'],
  'server-error': ['messages'],
};

/**
 * @param {SiteSources} site
 * @returns {SiteData}
 */
export function siteData({ routes, localesOf, facts, notices }) {
  /** @type {Map<string, string>} */
  const shared = new Map();
  /** @type {Map<string, { hash: string, value: unknown }>} */
  const known = new Map();
  /** @type {Record<QueryName, (locale: Locale) => unknown>} */
  const sources = {
    messages: pageMessages,
    faq: (locale) => readFaq(locale, facts),
    policy: (locale) => readPolicy(locale, facts),
    introduction: (locale) => readText(locale, 'licences'),
    notices: () => notices,
  };

  /** @param {QueryName} name @param {Locale} locale */
  function query(name, locale) {
    const key = `${name} ${locale}`;
    let found = known.get(key);
    if (found === undefined) {
      const value = sources[name](locale);
      const json = JSON.stringify(value);
      found = { hash: createHash('sha256').update(json).digest('hex').slice(0, 16), value };
      shared.set(found.hash, json);
      known.set(key, found);
    }
    return found;
  }

  const pages = routes.map((route) => {
    const { path, page, locale } = route;
    /** @param {Locale} name @returns {[Locale, QueryHashes]} */
    const hashesIn = (name) => [name, Object.fromEntries(needs[page].map((what) => [what, query(what, name).hash]))];
    const data = { path, page, locale, queries: Object.fromEntries(localesOf(route).map(hashesIn)) };
    /** @param {Locale} name */
    const queriesIn = (name) =>
      /** @type {Queries} */ (
        /** @type {unknown} */ (Object.fromEntries(needs[page].map((what) => [what, query(what, name).value])))
      );
    return { route, data, queriesIn };
  });
  return { pages, shared };
}
