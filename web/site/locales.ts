// The languages of the site as data, and the rule by which one is chosen.

export type Locale = 'en' | 'zh-CN' | 'zh-TW';

export interface LocaleEntry {
  /** The home page in this language. */
  readonly path: `/${string}/`;
  /** The language's name in itself. */
  readonly label: string;
  readonly title?: string;
}

/** Messages are not here: `locales/<locale>.json` is loaded with the page that needs it. */
export const LOCALES: Readonly<Record<Locale, LocaleEntry>> = {
  en: { path: '/en/', label: 'English', title: 'Resize images online' },
  'zh-CN': { path: '/zh-CN/', label: '简体中文' },
  'zh-TW': { path: '/zh-TW/', label: '繁體中文' },
};

export const LOCALE_NAMES = Object.keys(LOCALES) as readonly Locale[];
export const DEFAULT_LOCALE: Locale = 'en';

/** Tags that mean a language of ours under another name. Lower case. */
const ALIASES: Readonly<Record<string, Locale>> = {
  zh: 'zh-CN',
  'zh-hans': 'zh-CN',
  'zh-sg': 'zh-CN',
  'zh-hk': 'zh-TW',
  'zh-mo': 'zh-TW',
  'zh-hant': 'zh-TW',
};

function exactly(tag: string): Locale | undefined {
  return LOCALE_NAMES.find((name) => name.toLowerCase() === tag.toLowerCase());
}

/** `zh-Hant-HK` → `zh-Hant-HK`, `zh-Hant`, `zh` */
function withParents(tag: string): string[] {
  const parts = tag.toLowerCase().split(/[-_]/);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
}

/**
 * The page's own language, else the browser's: as it is, then its part before the first `-` or `_`, then an alias of it
 * or of the longest part of it that has one, then English.
 */
export function selectLocale(pageLocale: Locale | null, browserLanguage: string | undefined): Locale {
  if (pageLocale !== null) return pageLocale;
  if (browserLanguage === undefined) return DEFAULT_LOCALE;
  const language = browserLanguage.split(/[-_]/)[0] ?? '';
  const alias = withParents(browserLanguage).find((tag) => tag in ALIASES);
  return (
    exactly(browserLanguage) ??
    exactly(language) ??
    (alias === undefined ? undefined : ALIASES[alias]) ??
    DEFAULT_LOCALE
  );
}
