// What the owner of a deployment decides, in one place. Everything that names the site reads it from here.

import type { Locale } from './locales.ts';

export interface Analytics {
  /** The one id that page views are counted under. */
  readonly id: string;
  /** Where they are sent: a path of this site, so that the policy `connect-src 'self'` holds. */
  readonly collect: `/${string}`;
}

export interface SiteConfig {
  readonly domain: string;
  /** Without a slash at the end; empty where the site has its domain to itself. */
  readonly basePath: '' | `/${string}`;
  readonly name: Readonly<Record<Locale, string>>;
  /** A mail address; without one no page offers any. */
  readonly contact: string | null;
  /** Who runs the site, for the privacy policy. */
  readonly operator: string | null;
  /** Who serves the files, and how long request logs are kept, for the privacy policy. */
  readonly host: { readonly name: string; readonly logDays: number } | null;
  /** Null: no script, no request. */
  readonly analytics: Analytics | null;
  /** Makes the site work offline. */
  readonly serviceWorker: boolean;
}

export const site: SiteConfig = {
  domain: 'resize-images.example',
  basePath: '',
  name: { en: 'Resize Images', 'zh-CN': '调整图片大小', 'zh-TW': '調整圖片大小' },
  contact: null,
  operator: null,
  host: null,
  analytics: null,
  serviceWorker: true,
};

export const origin = `https://${site.domain}`;
