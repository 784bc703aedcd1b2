// Addresses. A *path* names a page of the site (`/en/`); a *href* is the text of the address bar with base path, query
// and fragment.

import { site } from '../config.ts';

export const NOT_FOUND_PATH = '/404.html';
export const SERVER_ERROR_PATH = '/500.html';

/** Adds the base path: `/en/#faq` → `/base/en/#faq`. */
export function hrefOf(path: string): string {
  return site.basePath + path;
}

/** Returns the path of an address: without base path, query and fragment, with a trailing slash. */
export function pathOf(href: string): string {
  const bare = href.replace(/[?#].*$/s, '');
  const inSite =
    bare === site.basePath || bare.startsWith(`${site.basePath}/`) ? bare.slice(site.basePath.length) : bare;
  if (inSite === NOT_FOUND_PATH || inSite === SERVER_ERROR_PATH) return inSite;
  const folder = inSite.replace(/(^|\/)index\.html$/, '$1');
  return folder.endsWith('/') ? folder : `${folder}/`;
}

/** Returns the canonical form of an address: `/en?a#b` → `/en/?a#b`, `/index.html` → `/`. */
export function canonicalHref(href: string): string {
  const rest = /[?#].*$/s.exec(href)?.[0] ?? '';
  return hrefOf(pathOf(href)) + rest;
}

export function pageDataUrl(path: string): string {
  return hrefOf(`/page-data/${path === '/' ? 'index' : path.replace(/^\/+|\/+$/g, '')}/page-data.json`);
}

export function appDataUrl(): string {
  return hrefOf('/page-data/app-data.json');
}

export function queryUrl(hash: string): string {
  return hrefOf(`/page-data/sq/d/${hash}.json`);
}
