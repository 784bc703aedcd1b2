// The title and description of each page.

import type { MessageKey, Words } from '../i18n/index.ts';
import { origin, site } from './config.ts';
import type { PageName } from './page-data.ts';
import { hrefOf } from './runtime/paths.ts';

const PAGES: Readonly<Record<PageName, { readonly title: MessageKey; readonly description: MessageKey }>> = {
  home: { title: 'page.title', description: 'home.description' },
  privacy: { title: 'footer.privacy', description: 'privacy.description' },
  licences: { title: 'footer.licences', description: 'footer.licences' },
  'not-found': { title: 'notFound.title', description: 'notFound.text' },
  'server-error': { title: 'serverError.title', description: 'serverError.text' },
};

export interface PageDescription {
  readonly title: string;
  readonly description: string;
}

export function describePage(name: PageName, t: Words['t']): PageDescription {
  const { title, description } = PAGES[name];
  return { title: `${t(title)} | ${site.domain}`, description: t(description) };
}

export function canonicalUrl(path: string): string {
  return origin + hrefOf(path);
}
