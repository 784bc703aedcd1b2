// The HTML document around a rendered page. It is readable without scripts. Its inline scripts set the theme and load
// the other scripts. The policy lists the hashes of both and of the inline style sheet.

import { renderToStaticMarkup } from 'react-dom/server';
import { origin, site } from './config.ts';
import { plainText, type Question } from './content.ts';
import type { PageDescription } from './describe-page.ts';
import { LOCALE_NAMES, LOCALES, type Locale } from './locales.ts';
import { manifestPath } from './machine-files.ts';
import type { BootData } from './page-data.ts';
import type { PageAssets } from './renderer.ts';
import { hrefOf } from './runtime/paths.ts';
import { START_SCRIPT } from './start-script.ts';
import { BOOT_SCRIPT } from './theme.ts';

export interface DocumentParts {
  readonly boot: BootData;
  readonly description: PageDescription;
  /** The rendered page. */
  readonly body: string;
  readonly assets: PageAssets;
  readonly build: string;
  /** The content security policy, for hosts that cannot send headers. */
  readonly policy: string | null;
  /** The text that is shown without JavaScript. */
  readonly needsScript: string;
}

/** Returns JSON in which no text can close the script element. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Links to the home page in every language, for search engines. */
function Alternates() {
  return (
    <>
      {LOCALE_NAMES.map((name) => (
        <link
          key={name}
          rel="alternate"
          hrefLang={name}
          href={origin + hrefOf(LOCALES[name].path)}
          title={LOCALES[name].title}
        />
      ))}
      <link rel="alternate" hrefLang="x-default" href={origin + hrefOf('/')} />
    </>
  );
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

interface CardProps {
  readonly boot: BootData;
  readonly description: PageDescription;
}

/** The data for the preview that other sites show for a link to the page. */
function Card({ boot: { page, locale }, description: { title, description } }: CardProps) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:site_name" content={site.name[locale]} />
      <meta property="og:locale" content={locale.replace('-', '_')} />
      <meta property="og:url" content={origin + hrefOf(page.path)} />
      <meta property="og:image" content={origin + hrefOf('/icons/card.png')} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={site.name[locale]} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Head({ boot, description, assets, build, policy }: DocumentParts) {
  const { page, locale, queries } = boot;
  const isError = page.page === 'not-found' || page.page === 'server-error';
  return (
    <>
      <meta charSet="utf-8" />
      {policy === null ? null : <meta httpEquiv="Content-Security-Policy" content={policy} />}
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{description.title}</title>
      <meta name="description" content={description.description} />
      <meta name="build" content={build} />
      <script>{BOOT_SCRIPT}</script>
      {/* Otherwise a half-parsed button may be painted and then grow: a layout shift of 0.001 in 1 of 8 visits. */}
      <link rel="expect" href="#drawn" blocking="render" />
      <style>{assets.sheet}</style>
      {assets.scripts.length === 0 ? null : <script data-parts={assets.scripts.join(' ')}>{START_SCRIPT}</script>}
      <link rel="icon" href={hrefOf('/icons/icon.svg')} type="image/svg+xml" />
      <link rel="icon" href={hrefOf('/icons/icon-32.png')} sizes="32x32" type="image/png" />
      <link rel="apple-touch-icon" href={hrefOf('/icons/icon-180.png')} />
      <link rel="manifest" href={hrefOf(manifestPath(locale))} />
      {isError ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={origin + hrefOf(page.path)} />}
      {page.page === 'home' ? <Alternates /> : null}
      <Card boot={boot} description={description} />
      {queries.faq === undefined ? null : (
        <script type="application/ld+json">{jsonText(faqData(queries.faq, locale))}</script>
      )}
    </>
  );
}

export function documentOf(parts: DocumentParts): string {
  const { boot, body, needsScript } = parts;
  const after = (
    <>
      <noscript id="drawn">{needsScript}</noscript>
      <script type="application/json" id="boot">
        {jsonText(boot)}
      </script>
    </>
  );
  return `<!doctype html>
<html lang="${boot.locale}" dir="${LOCALES[boot.locale].direction}">
<head>
${renderToStaticMarkup(<Head {...parts} />)}
</head>
<body>
<div id="root">${body}</div>
${renderToStaticMarkup(after)}
</body>
</html>
`;
}
