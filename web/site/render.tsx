// The site for the build: its pages as data and as HTML. This module runs in Node only.

import { prerender } from 'react-dom/static';
import { encoderModuleOf, FORMATS, READABLE_FORMATS } from '../domain/formats.ts';
import { createWords } from '../i18n/index.ts';
import { site } from './config.ts';
import { describePage } from './describe-page.ts';
import { documentOf } from './document.tsx';
import { DEFAULT_LOCALE, LOCALE_NAMES } from './locales.ts';
import { manifestOf, manifestPath, robots, sitemap } from './machine-files.ts';
import type { BootData, PageName } from './page-data.ts';
import { Home } from './pages/home.tsx';
import { Licences } from './pages/licences.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Privacy } from './pages/privacy.tsx';
import { ServerError } from './pages/server-error.tsx';
import type { Renderer, Rendering } from './renderer.ts';
import { localesOf, ROUTES } from './routes.ts';
import type { PageComponent } from './runtime/loader.ts';
import { appDataUrl, hrefOf, pageDataUrl, queryUrl } from './runtime/paths.ts';
import { SitePage } from './site.tsx';
import { START_SCRIPT } from './start-script.ts';
import { BOOT_SCRIPT } from './theme.ts';

const PAGES: Readonly<Record<PageName, PageComponent>> = {
  home: Home,
  privacy: Privacy,
  licences: Licences,
  'not-found': NotFound,
  'server-error': ServerError,
};

async function renderPage({
  data,
  locale,
  queries,
  year,
  assets,
  policy,
}: Rendering): Promise<(build: string) => string> {
  const page = { data, locale, queries, Component: PAGES[data.page] };
  // The size exceeds that of any page: otherwise React reveals later parts with inline scripts, which the policy
  // forbids.
  const { prelude } = await prerender(<SitePage page={page} builtIn={year} />, { progressiveChunkSize: 1e9 });
  const body = await new Response(prelude).text();
  const t = createWords(locale, queries.messages).t;
  const boot: BootData = { page: data, locale, queries, year };
  const needsScript = data.page === 'home' ? t('page.needsScript') : '';
  const description = describePage(data.page, t);
  return (build) => documentOf({ boot, description, body, assets, build, policy, needsScript });
}

export const renderer: Renderer = {
  site,
  routes: ROUTES,
  locales: LOCALE_NAMES,
  defaultLocale: DEFAULT_LOCALE,
  localesOf,
  inlineScripts: [BOOT_SCRIPT, START_SCRIPT],
  hrefOf,
  pageDataUrl,
  appDataUrl,
  queryUrl,
  renderPage,
  usesOf: (module) =>
    READABLE_FORMATS.flatMap((format) => {
      const { name, reader } = FORMATS[format];
      const opens = reader === module ? [{ format: name, use: 'open' } as const] : [];
      return encoderModuleOf(format) === module ? [...opens, { format: name, use: 'save' } as const] : opens;
    }),
  manifestPath,
  manifestIn: (locale, messages) => manifestOf(locale, createWords(locale, messages).t('home.description')),
  robots,
  sitemap,
};
