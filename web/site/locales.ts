// The table of languages, and the selection of one. To add a language, add its row, its messages and its texts.

export interface LocaleEntry {
  /** The path of the home page in this language. */
  readonly path: `/${string}/`;
  /** The name of the language in the language itself. */
  readonly label: string;
  readonly direction: 'ltr' | 'rtl';
  readonly title?: string;
}

const TABLE = {
  en: { path: '/en/', label: 'English', direction: 'ltr', title: 'Resize images online' },
  'zh-CN': { path: '/zh-CN/', label: '简体中文', direction: 'ltr' },
  'zh-TW': { path: '/zh-TW/', label: '繁體中文', direction: 'ltr' },
} as const satisfies Readonly<Record<string, LocaleEntry>>;

export type Locale = keyof typeof TABLE;

/** The languages without their messages: `locales/<locale>.json` is loaded with the page that needs it. */
export const LOCALES: Readonly<Record<Locale, LocaleEntry>> = TABLE;

export const LOCALE_NAMES = Object.keys(LOCALES) as readonly Locale[];
export const DEFAULT_LOCALE: Locale = 'en';

/** Other tags of these languages in lower case. */
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

/** Returns a tag and its parents: `zh-Hant-HK` → `zh-hant-hk`, `zh-hant`, `zh`. */
function withParents(tag: string): string[] {
  const parts = tag.toLowerCase().split(/[-_]/);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
}

/**
 * Selects a language in this order: the page's fixed language; the browser's exact tag; the part of that tag before the
 * first `-` or `_`; the alias of the longest part that has one; English.
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
