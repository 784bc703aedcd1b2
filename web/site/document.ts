// The HTML around a rendered page. Whole without a script; holds no executable script but the theme's and the one that
// starts the others. The policy names both by their hashes, as it does the style sheet.

import { origin, site } from './config.ts';
import { plainText, type Question } from './content.ts';
import type { PageDescription } from './describe-page.ts';
import { LOCALE_NAMES, LOCALES, type Locale } from './locales.ts';
import { manifestPath } from './machine-files.ts';
import type { BootData } from './page-data.ts';
import type { Assets } from './renderer.ts';
import { hrefOf } from './runtime/paths.ts';
import { START_SCRIPT } from './start-script.ts';
import { BOOT_SCRIPT } from './theme.ts';

export interface DocumentParts {
  readonly boot: BootData;
  readonly description: PageDescription;
  /** What React made of the page. */
  readonly body: string;
  readonly assets: Assets;
  readonly build: string;
  /** For hosts that send no headers. */
  readonly policy: string | null;
  /** Without JavaScript. */
  readonly needsScript: string;
}

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

/** JSON that cannot end the element it stands in. */
function dataBlock(type: string, id: string | null, value: unknown): string {
  const json = JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="${type}"${id === null ? '' : ` id="${id}"`}>${json}</script>`;
}

function meta(key: 'name' | 'property', name: string, content: string): string {
  return `<meta ${key}="${name}" content="${escaped(content)}">`;
}

/** The home page in every language, for readers who search in another one. */
function alternates({ page }: BootData): string[] {
  if (page.page !== 'home') return [];
  const link = (language: string, path: string, title?: string) =>
    `<link rel="alternate" hreflang="${language}" href="${origin}${hrefOf(path)}"${title === undefined ? '' : ` title="${title}"`}>`;
  return [...LOCALE_NAMES.map((name) => link(name, LOCALES[name].path, LOCALES[name].title)), link('x-default', '/')];
}

function faqData(questions: readonly Question[], locale: Locale): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    inLanguage: locale,
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: plainText(answer) },
    })),
  };
}

/** What other sites show of a link to the page. */
function card({ page, locale }: BootData, { title, description }: PageDescription): string[] {
  const image = origin + hrefOf('/icons/card.png');
  return [
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:site_name', site.name[locale]),
    meta('property', 'og:locale', locale.replace('-', '_')),
    meta('property', 'og:url', origin + hrefOf(page.path)),
    meta('property', 'og:image', image),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', site.name[locale]),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
}

function head({ boot, description, assets, build, policy }: DocumentParts): string {
  const { page, locale, queries } = boot;
  const isError = page.page === 'not-found' || page.page === 'server-error';
  const lines = [
    '<meta charset="utf-8">',
    ...(policy === null ? [] : [`<meta http-equiv="Content-Security-Policy" content="${policy}">`]),
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<title>${escaped(description.title)}</title>`,
    meta('name', 'description', description.description),
    meta('name', 'build', build),
    `<script>${BOOT_SCRIPT}</script>`,
    // Else a frame may be drawn while half a button has been parsed, which then grows: a shift of 0.001 in 1 of 8 visits.
    '<link rel="expect" href="#drawn" blocking="render">',
    `<style>${assets.sheet}</style>`,
    ...(assets.scripts.length === 0
      ? []
      : [`<script data-parts="${assets.scripts.join(' ')}">${START_SCRIPT}</script>`]),
    `<link rel="icon" href="${hrefOf('/icons/icon.svg')}" type="image/svg+xml">`,
    `<link rel="icon" href="${hrefOf('/icons/icon-32.png')}" sizes="32x32" type="image/png">`,
    `<link rel="apple-touch-icon" href="${hrefOf('/icons/icon-180.png')}">`,
    `<link rel="manifest" href="${hrefOf(manifestPath(locale))}">`,
    ...(isError
      ? [meta('name', 'robots', 'noindex')]
      : [`<link rel="canonical" href="${origin}${hrefOf(page.path)}">`]),
    ...alternates(boot),
    ...card(boot, description),
    ...(queries.faq === undefined ? [] : [dataBlock('application/ld+json', null, faqData(queries.faq, locale))]),
  ];
  return lines.join('\n');
}

export function documentOf(parts: DocumentParts): string {
  const { boot, body, needsScript } = parts;
  return `<!doctype html>
<html lang="${boot.locale}">
<head>
${head(parts)}
</head>
<body>
<div id="root">${body}</div>
<noscript id="drawn">${escaped(needsScript)}</noscript>
${dataBlock('application/json', 'boot', boot)}
</body>
</html>
`;
}
