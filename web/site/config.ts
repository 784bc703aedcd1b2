// The configuration of a deployment, which its owner edits.

import type { Locale } from './locales.ts';

export interface Analytics {
  /** The id under which page views are counted. */
  readonly id: string;
  /** The address that counts them: a path of this site, because of the policy `connect-src 'self'`. */
  readonly collect: `/${string}`;
}

export interface SiteConfig {
  readonly domain: string;
  /** The folder of the site, without a slash at the end; empty at the root of the domain. */
  readonly basePath: '' | `/${string}`;
  readonly name: Readonly<Record<Locale, string>>;
  /** The mail address for questions; null hides the contact line. A public site needs one. */
  readonly contact: string | null;
  /** The person or company that runs the site, for the privacy policy. A public site needs one. */
  readonly operator: string | null;
  /** The web host and how long it keeps request logs, for the privacy policy. A public site needs one. */
  readonly host: { readonly name: string; readonly logDays: number } | null;
  /** Null sends no request. */
  readonly analytics: Analytics | null;
  /** Whether the site works offline. */
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
