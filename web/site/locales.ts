// The table of languages and the rule that selects one. To add a language, add its row, its messages and its texts.

export interface LocaleEntry {
  /** The home page in this language. */
  readonly path: `/${string}/`;
  /** The language's own name. */
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

/** Without messages: `locales/<locale>.json` is loaded with the page that needs it. */
export const LOCALES: Readonly<Record<Locale, LocaleEntry>> = TABLE;

export const LOCALE_NAMES = Object.keys(LOCALES) as readonly Locale[];
export const DEFAULT_LOCALE: Locale = 'en';

/** Other tags of these languages, in lower case. */
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
 * The page's own language; else the browser's: the exact tag, then the part before the first `-` or `_`, then the alias of
 * the longest part that has one; else English.
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
